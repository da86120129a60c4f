import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("Drum keys")
struct DrumKeyTests {
  private static let drum: UInt8 = 9

  /// 440 Hz on key 69, in a drum kit; keys 60 to 127.
  private static let font: SoundFontBytes = {
    var sine = SoundFontBytes.Sample.sine(period: 100, count: 44_000, amplitude: 0.9)
    sine.loop = 400..<4000
    sine.rate = 44_000
    sine.key = 69
    var font = SoundFontBytes(samples: [sine])
    font.instruments = [
      [.global([.releaseVolEnv: -7000, .scaleTuning: 0]), .init([.sampleModes: 1], playing: 0)],
      [.global([.releaseVolEnv: -7000, .scaleTuning: 0]), .init([.sampleModes: 0], playing: 0)],
    ]
    font.presets = [
      .init([.init(playing: 0)], bank: 128, program: 0, named: "Looped"),
      .init([.init(playing: 1)], bank: 128, program: 8, named: "Once"),
      .init([.init(playing: 0)], named: "Melodic"),
    ]
    return font
  }()

  private func withPlayer<Result>(
    _ engine: SamplerEngine, _ body: (PlayedRack) throws -> Result
  ) throws -> Result {
    try Self.font.withFile { path in
      try body(try PlayedRack([InstrumentAssignment(.sampler)], soundFonts: [path], engine: engine))
    }
  }

  /// What a key of the drum channel sounds like after messages.
  private func strike(
    _ player: PlayedRack, _ key: UInt8 = 69, channel: UInt8 = drum
  ) -> (left: [Float], right: [Float]) {
    player.play(.noteOn(channel: channel, note: key, velocity7: 100))
    _ = player.render(960)
    let heard = player.renderStereo(4800)
    player.play(.controlChange(channel: channel, .allSoundOff, value7: 0))
    _ = player.render(4800)
    return heard
  }

  private func tell(_ player: PlayedRack, nrpn parameter: UInt8, _ key: UInt8, _ value: UInt8, channel: UInt8 = drum) {
    player.play(
      .controlChange(channel: channel, .assignableParameter, value7: parameter),
      .controlChange(channel: channel, .assignableParameterLSB, value7: key),
      .controlChange(channel: channel, .dataEntry, value7: value))
  }

  @Test("a level of 0 silences its key alone: NRPN, GS, XG and General MIDI 2", arguments: SamplerEngine.allCases)
  func level(_ engine: SamplerEngine) throws {
    let ways: [(reset: [UInt8], tell: (PlayedRack) -> Void)] = [
      (BothSamplers.gsReset, { tell($0, nrpn: 0x1A, 69, 0) }),
      (BothSamplers.gsReset, { $0.play(systemExclusive: BothSamplers.gs(0x41, 0x02, 69, 0)) }),
      (BothSamplers.xgReset, { tell($0, nrpn: 0x1A, 69, 0) }),
      (BothSamplers.xgReset, { $0.play(systemExclusive: BothSamplers.xg(0x30, 69, 0x02, 0)) }),
      ([0x7E, 0x7F, 0x09, 0x03], { $0.play(systemExclusive: [0x7F, 0x7F, 0x0A, 0x01, Self.drum, 69, 0x07, 0]) }),
    ]
    for (index, way) in ways.enumerated() {
      try withPlayer(engine) { player in
        player.play(systemExclusive: way.reset)
        let before = rms(strike(player).left)
        way.tell(player)
        #expect(before > 0.01 && rms(strike(player).left) < before / 1000, "way \(index)")
        #expect(abs(rms(strike(player, 70).left) / before - 1) < 0.01, "way \(index)")
        player.play(systemExclusive: way.reset)
        #expect(abs(rms(strike(player).left) / before - 1) < 0.01, "way \(index), after a reset")
      }
    }
  }

  @Test("half of a level is -12 dB; half of General MIDI 2's percent is -6 dB", arguments: SamplerEngine.allCases)
  func levels(_ engine: SamplerEngine) throws {
    try withPlayer(engine) { player in
      let before = rms(strike(player).left)
      player.play(systemExclusive: BothSamplers.gs(0x41, 0x02, 69, 64))
      let lower = rms(strike(player).left) / before
      #expect(abs(lower / (Double(64 * 64) / (127 * 127)) - 1) < 0.02)
      player.play(systemExclusive: [0x7F, 0x7F, 0x0A, 0x01, Self.drum, 69, 0x07, 32])
      #expect(abs(rms(strike(player).left) / before / 0.5 - 1) < 0.02)
    }
  }

  @Test("pan 1 is left, 127 right; 0 is another place for each note", arguments: SamplerEngine.allCases)
  func pan(_ engine: SamplerEngine) throws {
    try withPlayer(engine) { player in
      tell(player, nrpn: 0x1C, 69, 1)
      let left = strike(player)
      #expect(rms(left.left) > 0.01 && rms(left.right) < 1e-5)
      tell(player, nrpn: 0x1C, 69, 127)
      let right = strike(player)
      #expect(rms(right.right) > 0.01 && rms(right.left) < 1e-5)
      tell(player, nrpn: 0x1C, 69, 0)
      let places = (0..<4).map { _ in
        let heard = strike(player)
        return rms(heard.left) / (rms(heard.left) + rms(heard.right))
      }
      for (place, next) in zip(places, places.dropFirst()) { #expect(abs(place - next) > 0.001) }
    }
  }

  @Test("coarse pitch 76 is an octave up, and XG adds cents", arguments: SamplerEngine.allCases)
  func pitch(_ engine: SamplerEngine) throws {
    try withPlayer(engine) { player in
      tell(player, nrpn: 0x18, 69, 76)
      let octave = strike(player).left
      #expect(amplitude(octave, 880) > 20 * amplitude(octave, 440))
      player.play(systemExclusive: BothSamplers.gs(0x41, 0x01, 69, 48))
      let below = strike(player).left
      #expect(amplitude(below, 220) > 20 * amplitude(below, 440))
      player.play(systemExclusive: BothSamplers.xgReset)
      player.play(systemExclusive: BothSamplers.xg(0x30, 69, 0x00, 75, 114))
      // 11 semitones and 50 cents.
      let tuned = strike(player).left
      #expect(amplitude(tuned, 440 * 1.943_07) > 20 * amplitude(tuned, 440))
    }
  }

  @Test("keys of a group end each other within 0.1 s, those of none do not", arguments: SamplerEngine.allCases)
  func group(_ engine: SamplerEngine) throws {
    try withPlayer(engine) { player in
      for key in [69, 71] as [UInt8] {
        player.play(systemExclusive: BothSamplers.gs(0x41, 0x03, key, 5))
        player.play(systemExclusive: BothSamplers.gs(0x41, 0x04, key, key == 69 ? 1 : 127))
      }
      player.play(.noteOn(channel: Self.drum, note: 69, velocity7: 100))
      let before = rms(player.renderStereo(4800).left)
      player.play(.noteOn(channel: Self.drum, note: 70, velocity7: 100))
      _ = player.render(4800)
      player.play(.noteOff(channel: Self.drum, note: 70, velocity7: 0))
      _ = player.render(4800)
      #expect(rms(player.renderStereo(4800).left) > before / 2)
      player.play(.noteOn(channel: Self.drum, note: 71, velocity7: 100))
      _ = player.render(14_400)
      #expect(rms(player.renderStereo(4800).left) < before / 4)
    }
  }

  @Test(
    "without note-off a sample sounds to its end, and one that repeats ends with its key",
    arguments: SamplerEngine.allCases)
  func noteOff(_ engine: SamplerEngine) throws {
    for (program, sounds) in [(8, true), (0, false)] as [(UInt8, Bool)] {
      try withPlayer(engine) { player in
        player.play(.programChange(channel: Self.drum, program: program))
        player.play(systemExclusive: BothSamplers.gs(0x41, 0x07, 69, 0))
        player.play(.noteOn(channel: Self.drum, note: 69, velocity7: 100))
        _ = player.render(960)
        player.play(.noteOff(channel: Self.drum, note: 69, velocity7: 0))
        _ = player.render(9600)
        #expect((rms(player.render(4800)) > 0.01) == sounds, "program \(program)")
      }
    }
  }

  @Test("GS's two maps are apart, by the part's rhythm mode", arguments: SamplerEngine.allCases)
  func maps(_ engine: SamplerEngine) throws {
    try withPlayer(engine) { player in
      // Part 1 plays drums by map 2.
      player.play(systemExclusive: BothSamplers.gs(0x40, 0x11, 0x15, 2))
      player.play(systemExclusive: BothSamplers.gs(0x41, 0x12, 69, 0))
      #expect(rms(strike(player, channel: 0).left) < 1e-4)
      #expect(rms(strike(player).left) > 0.01)
    }
  }

  @Test("melodic channels do not know drum keys, nor does General MIDI know NRPN", arguments: SamplerEngine.allCases)
  func melodic(_ engine: SamplerEngine) throws {
    try withPlayer(engine) { player in
      tell(player, nrpn: 0x1A, 69, 0, channel: 0)
      #expect(rms(strike(player, channel: 0).left) > 0.01)
      player.play(systemExclusive: [0x7E, 0x7F, 0x09, 0x01])
      tell(player, nrpn: 0x1A, 69, 0)
      #expect(rms(strike(player).left) > 0.01)
    }
  }

  @Test("random messages of these blocks trap nothing, and what sounds is finite", arguments: SamplerEngine.allCases)
  func random(_ engine: SamplerEngine) throws {
    var random = SplitMix64(seed: 41)
    try withPlayer(engine) { player in
      for round in 0..<400 {
        func byte() -> UInt8 { UInt8.random(in: 0...127, using: &random) }
        let starts: [[UInt8]] = [
          [0x41, 0x10, 0x42, 0x12, 0x41], [0x41, 0x10, 0x42, 0x12, 0x40], [0x43, 0x10, 0x4C, 0x30],
          [0x43, 0x10, 0x4C, 0x00, 0x00], [0x43, 0x10, 0x4C, 0x02, 0x01], [0x7F, 0x7F, 0x0A, 0x01],
          [0x7F, 0x7F, 0x04],
        ]
        var message = starts[round % starts.count] + (0..<Int.random(in: 0...20, using: &random)).map { _ in byte() }
        if message[0] == 0x41 {
          message.append(UInt8((128 - message.dropFirst(4).reduce(0) { $0 + Int($1) } % 128) % 128))
        }
        player.play(systemExclusive: message)
        tell(player, nrpn: byte(), byte(), byte())
        player.play(.noteOn(channel: Self.drum, note: byte(), velocity7: 100))
        let heard = player.renderStereo(64)
        #expect(heard.left.allSatisfy(\.isFinite) && heard.right.allSatisfy(\.isFinite), "round \(round)")
        if round % 50 == 0 {
          player.play(systemExclusive: round % 100 == 0 ? BothSamplers.xgReset : BothSamplers.gsReset)
        }
      }
    }
  }
}
