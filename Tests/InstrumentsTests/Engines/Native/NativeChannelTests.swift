import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("The native engine's channels")
struct NativeChannelTests {
  private func rack() throws -> PlayedRack {
    try SineFont.withFile { try PlayedRack([], soundFonts: [$0], engine: .native) }
  }

  private func control(_ controller: Controller, _ value: UInt8) -> MIDIMessage {
    .controlChange(channel: 0, controller, value7: value)
  }

  /// In cents, from a key, of what sounds now.
  private func pitch(_ rack: PlayedRack, from key: Double) -> Double {
    coarseCents(of: rack.render(9600)[...], from: frequency(key))
  }

  @Test("a note that is played legato goes on with the voice, and the one before comes back")
  func legato() throws {
    let rack = try rack()
    rack.play(control(.monoOn, 0), .noteOn(channel: 0, note: 69, velocity7: 100))
    _ = rack.render(4800)
    rack.play(.noteOn(channel: 0, note: 71, velocity7: 100))
    _ = rack.render(640)
    #expect(rack.rack.activeVoiceCount == 1)
    #expect(abs(pitch(rack, from: 71)) < 1.1)
    rack.play(.noteOff(channel: 0, note: 71))
    _ = rack.render(640)
    #expect(rack.rack.activeVoiceCount == 1)
    #expect(abs(pitch(rack, from: 69)) < 1.1)
    rack.play(.noteOff(channel: 0, note: 69))
    _ = rack.render(9600)
    #expect(rack.rack.activeVoiceCount == 0)
  }

  @Test("a glide by Portamento Control takes the time of controllers 5 and 37")
  func portamento() throws {
    let rack = try rack()
    // 256 ms.
    rack.play(control(.portamentoTime, 2), control(.portamentoControl, 57))
    rack.play(.noteOn(channel: 0, note: 69, velocity7: 100))
    _ = rack.render(1344)
    // A ninth of the way up, and a fifth of an octave more in the time that is measured.
    let early = coarseCents(of: rack.render(9600)[...], from: frequency(61.2))
    #expect(abs(early) < 120, "\(early)")
    _ = rack.render(4800)
    #expect(abs(pitch(rack, from: 69)) < 1.1)
  }

  @Test("NRPN 120 moves generators: 52 tunes by cents, of notes that sound too")
  func generators() throws {
    let rack = try rack()
    rack.play(.noteOn(channel: 0, note: 69, velocity7: 100))
    _ = rack.render(640)
    rack.play(control(.assignableParameter, 120), control(.assignableParameterLSB, 52))
    // 8192 + 40.
    rack.play(control(.dataEntryLSB, 40), control(.dataEntry, 64))
    _ = rack.render(640)
    #expect(abs(pitch(rack, from: 69.4)) < 1.1)
    rack.play(.assignableController(channel: 0, parameter: 120 << 7 | 52, value32: (8192 - 30) << 18))
    _ = rack.render(640)
    #expect(abs(pitch(rack, from: 68.7)) < 1.1)
  }

  @Test("a note bends alone, by MIDI 2.0")
  func noteBend() throws {
    let rack = try rack()
    rack.play(.noteOn(channel: 0, note: 69, velocity7: 100))
    _ = rack.render(640)
    rack.play(.perNotePitchBend(channel: 0, note: 69, value32: 0x8000_0000 + 0x8000_0000 / 48))
    _ = rack.render(640)
    #expect(abs(pitch(rack, from: 70)) < 1.1)
  }

  @Test("the engines can be exchanged for each other, and the notes of the former ring out")
  func exchange() throws {
    try SineFont.withFile { font in
      for engines in [[SamplerEngine.native, .fluidSynth], [.fluidSynth, .native]] {
        let rack = try PlayedRack([], soundFonts: [font], engine: engines[0])
        rack.play(control(.volume, 100), .noteOn(channel: 0, note: 69, velocity7: 100))
        _ = rack.render(4800)
        var configuration = rack.rack.configuration
        configuration.sampler.engine = engines[1]
        try rack.rack.exchange(configuration)
        _ = rack.render(4800)
        #expect(rack.rack.activeVoiceCount == 1)
        #expect(abs(pitch(rack, from: 69)) < 1.1)
        rack.play(.noteOff(channel: 0, note: 69))
        _ = rack.render(9600)
        #expect(rack.rack.collect())
        rack.play(.noteOn(channel: 0, note: 71, velocity7: 100))
        _ = rack.render(640)
        #expect(abs(pitch(rack, from: 71)) < 1.1)
      }
    }
  }
}
