import CSynthFluidSynth
import SynthMIDI
import TestSupport
import Testing

@testable import SynthFluidSynth
@testable import SynthInstruments

@Suite("After each message of a sequence the expected notes are held")
struct NoteSequenceTests {
  @Test("by the voice allocator", arguments: NoteSequence.all)
  func allocator(_ sequence: NoteSequence) {
    let allocator = PlayedAllocator(polyphony: 64)
    for step in sequence.steps {
      for message in step.messages { allocator.play(message) }
      if step.isSystemReset { allocator.play(.systemExclusive, .reset(.gm)) }
      // Heard from now on.
      for index in 0..<allocator.slotCount { allocator.slots[index].isNew = false }
      let held = allocator.heldNotes
      #expect(held == step.held.sorted(), "after \(step.text)")
    }
  }

  @Test("by the sampler", arguments: NoteSequence.all)
  func sampler(_ sequence: NoteSequence) throws {
    let sampler = try PlayedSampler(TestFiles.soundFont)
    sampler.selectOrgan()
    for step in sequence.steps {
      for message in step.messages { sampler.play(message) }
      if step.isSystemReset {
        sampler.play([0x7E, 0x7F, 0x09, 0x01])
        sampler.selectOrgan()
      }
      sampler.synth.letReleasedNotesEnd()
      #expect(sampler.synth.soundingNotes == step.heldBySampler.sorted(), "after \(step.text)")
    }
  }
}

extension PlayedSampler {
  /// A sound that goes on while it is held and ends at once when it is not: FluidSynth does not tell which voices a
  /// pedal has let go.
  fileprivate func selectOrgan() {
    for channel in UInt8(0)..<16 { play(.programChange(channel: channel, program: 16)) }
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
