import AudioGraph
import SynthInstruments
import SynthMIDI

extension Case {
  /// Voices of the oscillator instrument: two detuned saws each, and with the low-pass filter, its envelope and the
  /// LFO.
  static func voices() throws -> [Case] {
    try [
      voices(8, plain), voices(256, plain), voices(2000, plain), voices(256, filtered), voices(1000, filtered),
    ]
  }

  static var plain: Patch {
    Patch(
      name: "plain", title: "Plain", description: "Two saws", oscillators: [.init(.saw), .init(.saw, detune: 7)],
      amplitude: .init(attack: 0.01, decay: 1, sustain: 0.7, release: 0.3))
  }

  static var filtered: Patch {
    var patch = plain
    patch.name = "filtered"
    patch.filter = .init(cutoff: 800)
    patch.filter?.amount = 3
    patch.lfo.pitch = 10
    return patch
  }

  /// Held on all channels alike.
  static func voices(_ count: Int, _ patch: Patch) throws -> Case {
    let rack = try RackNode(
      RackConfiguration(assignments: [InstrumentAssignment(.patch(patch))], polyphony: count),
      sampleRate: Work.sampleRate)
    let work = try Work { graph in
      try graph.attach(rack)
      return rack
    }
    for index in 0..<count {
      let message = MIDIMessage.noteOn(channel: UInt8(index % 16), note: UInt8(index / 16), velocity7: 100)
      _ = rack.events.send(MIDIEvent(time: 0, message: message))
    }
    work.run(2)
    guard rack.activeVoiceCount == count else { throw HeldNotes.Missed(wanted: count, sounding: rack.activeVoiceCount) }
    return Case(
      "\(count) \(patch.name) oscillator voices", work,
      without: try Work { graph in
        let empty = EmptyNode(inputs: 0, outputs: RackNode.channelCount)
        try graph.attach(empty)
        return empty
      })
  }
}
