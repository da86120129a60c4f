import CFluidSynth
import MIDI
import Realtime
import TestSupport
import Testing

@testable import Instruments

@Suite("After each message of a sequence the expected notes are held")
struct NoteSequenceTests {
  @Test("by the voice allocator", arguments: NoteSequence.all)
  func allocator(_ sequence: NoteSequence) {
    var allocator = VoiceAllocator(polyphony: 64, parts: [VoicePart(channels: 0xFFFF)])
    for step in sequence.steps {
      for message in step.messages { allocator.play(message) }
      if step.isSystemReset { allocator.reset() }
      // Heard from now on.
      for index in 0..<allocator.slotCount { allocator.slots[index].isNew = false }
      let held = allocator.heldNotes
      #expect(held == step.held.sorted(), "after \(step.text)")
    }
  }

  @Test("by the sampler", arguments: NoteSequence.all)
  func sampler(_ sequence: NoteSequence) throws {
    let synth = try FluidSynth(SamplerConfiguration(soundFonts: [TestFiles.soundFont]), sampleRate: 48000)
    var sampler = Sampler(synth, RingBuffer(minimumCapacity: 1))
    sampler.selectOrgan()
    for step in sequence.steps {
      for message in step.messages { sampler.play(MIDIEvent(time: 0, message: message)) }
      if step.isSystemReset {
        [UInt8]([0x7E, 0x7F, 0x09, 0x01]).withUnsafeBufferPointer {
          sampler.play(MIDIEvent(time: 0, systemExclusive: $0))
        }
        sampler.selectOrgan()
      }
      synth.letReleasedNotesEnd()
      #expect(synth.soundingNotes == step.heldBySampler.sorted(), "after \(step.text)")
    }
  }
}

extension VoiceAllocator {
  /// The notes a key or a pedal holds.
  var heldNotes: [NoteSequence.Note] {
    var notes: Set<NoteSequence.Note> = []
    for index in 0..<slotCount where slots[index].isOn && slots[index].isHeld {
      notes.insert(NoteSequence.Note(channel: slots[index].channel, key: slots[index].key))
    }
    return notes.sorted()
  }
}

extension Sampler {
  /// A sound that goes on while it is held and ends at once when it is not: FluidSynth does not tell which voices a pedal
  /// has let go.
  fileprivate mutating func selectOrgan() {
    for channel in Int32(0)..<16 { changeProgram(channel, 16) }
  }
}

extension FluidSynth {
  /// Renders a second.
  fileprivate func letReleasedNotesEnd() {
    var samples = [Float](repeating: 0, count: 64)
    samples.withUnsafeMutableBufferPointer { buffer in
      var outputs = [UnsafeMutablePointer<Float>?](repeating: buffer.baseAddress, count: 32)
      for _ in 0..<750 { fluid_synth_process(handle, 64, 0, nil, 32, &outputs) }
    }
  }

  fileprivate var soundingNotes: [NoteSequence.Note] {
    var voices = [OpaquePointer?](repeating: nil, count: 512)
    fluid_synth_get_voicelist(handle, &voices, Int32(voices.count), -1)
    let notes = voices.prefix { $0 != nil }.filter { fluid_voice_is_playing($0) != 0 }.map {
      NoteSequence.Note(channel: UInt8(fluid_voice_get_channel($0)), key: UInt8(fluid_voice_get_key($0)))
    }
    return Set(notes).sorted()
  }
}
