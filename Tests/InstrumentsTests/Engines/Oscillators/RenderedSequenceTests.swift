import Glibc
import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("After each message of a sequence the expected notes are heard")
struct RenderedSequenceTests {
  @Test("from the oscillator voices", arguments: NoteSequence.all)
  func voices(_ sequence: NoteSequence) throws {
    try play(sequence, on: try PlayedRack(.bare())) { $0.held }
  }

  @Test("from the sampler", arguments: NoteSequence.all)
  func sampler(_ sequence: NoteSequence) throws {
    try play(sequence, on: try SineFont.withFile { try PlayedRack([], soundFonts: [$0]) }) { $0.heldBySampler }
  }

  private func play(
    _ sequence: NoteSequence, on rack: PlayedRack, expected: (NoteSequence.Step) -> Set<NoteSequence.Note>
  ) throws {
    rack.separateFirstChannels()
    var listener = Listener()
    listener.learn(rack)
    for step in sequence.steps {
      for message in step.messages {
        rack.play(message)
        listener.follow(message)
      }
      if step.isSystemReset {
        rack.play(systemExclusive: [0x7E, 0x7F, 0x09, 0x01])
        listener.reset()
      }
      // What was let go has ended.
      _ = rack.render(1600)
      let heard = listener.notes(in: rack.renderStereo(4800))
      #expect(heard == expected(step).filter { listener.isAudible($0.channel) }, "after \(step.text)")
    }
  }
}

/// Tells which notes sines sound, channel 1 on the left and channel 2 on the right, and that nothing else does.
private struct Listener {
  private static let keys: [UInt8] = [21, 60, 64, 67, 108]
  private var channels = [ChannelState](repeating: ChannelState(), count: 2)
  /// Of one note.
  private var height = 0.0

  /// Listens to a note alone, and lets it end.
  mutating func learn(_ rack: PlayedRack) {
    rack.play(.noteOn(channel: 0, note: 60, velocity7: 100))
    _ = rack.render(1600)
    height = amplitude(rack.render(4800), frequency(60))
    rack.play(.noteOff(channel: 0, note: 60))
    _ = rack.render(1600)
    #expect(height > 0.001 && rack.rack.activeVoiceCount == 0)
  }

  /// Follows what moves the pitch or the level of a channel.
  mutating func follow(_ message: MIDIMessage) {
    switch message.kind {
    case .controlChange where message.controller == .resetAllControllers:
      channels[Int(message.channel)].resetControllers()
    case .controlChange: _ = channels[Int(message.channel)].follow(message.controller, message.value32)
    case .pitchBend: channels[Int(message.channel)].bend = signed(message.value32)
    default: break
    }
  }

  mutating func reset() { channels = [ChannelState](repeating: ChannelState(), count: 2) }

  func isAudible(_ channel: UInt8) -> Bool {
    channels[Int(channel)].volume * channels[Int(channel)].expression > 0
  }

  func notes(in sound: (left: [Float], right: [Float])) -> Set<NoteSequence.Note> {
    var notes: Set<NoteSequence.Note> = []
    for (channel, samples) in [sound.left, sound.right].enumerated() {
      let offset = Double(channels[channel].pitchOffset)
      let heard = Self.keys.filter { amplitude(samples, frequency(Double($0) + offset)) > 0.3 * height }
      // One more voice would leave a whole one. FluidSynth's pressure is a vibrato, which spreads two thirds of one.
      let known = heard.map { pow(amplitude(samples, frequency(Double($0) + offset)), 2) / 2 }.reduce(0, +)
      let rest = (pow(rms(samples), 2) - known) / (height * height / 2)
      #expect(rest < 0.8, "on channel \(channel + 1)")
      for key in heard { notes.insert(NoteSequence.Note(channel: UInt8(channel), key: key)) }
    }
    return notes
  }
}
