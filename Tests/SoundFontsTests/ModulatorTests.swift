import Testing

@testable import SynthSoundFonts

@Suite("Modulators of a zone")
struct ModulatorTests {
  /// The list of the one zone of a font whose instrument and preset have these, global, then own, without the sound
  /// controllers' defaults.
  private func list(
    instrument: ([[Int]], [[Int]]) = ([], []), preset: ([[Int]], [[Int]]) = ([], [])
  ) throws -> [ZoneModulator] {
    let whole = try wholeList(instrument: instrument, preset: preset)
    let places = ZoneModulator.controllerPlaces
    let shift = Int8(places.count)
    return (whole[..<places.lowerBound] + whole[places.upperBound...]).map { modulator in
      var modulator = modulator
      if modulator.link >= 0 { modulator.link -= shift }
      return modulator
    }
  }

  private func wholeList(
    instrument: ([[Int]], [[Int]]) = ([], []), preset: ([[Int]], [[Int]]) = ([], [])
  ) throws -> [ZoneModulator] {
    var builder = FontBuilder()
    builder.instruments[0].zones = [
      .init(modulators: instrument.0), .init(generators: [(53, 0)], modulators: instrument.1),
    ]
    builder.presets[0].zones = [.init(modulators: preset.0), .init(generators: [(41, 0)], modulators: preset.1)]
    let presets = try builder.playable()
    let zone = try #require(presets.preset(bank: 0, program: 0)).pointee.zones[0]
    return (0..<zone.modulatorCount).map { zone.modulators[$0] }
  }

  private let wheelToVibrato = [0x81, 6, 50, 0, 0]

  @Test("an instrument's replaces the amount of a default, a preset's is added to it")
  func amounts() throws {
    #expect(try wholeList() == ZoneModulator.defaults)
    #expect(Array(ZoneModulator.defaults[ZoneModulator.controllerPlaces]) == ZoneModulator.controllerDefaults)
    let replaced = try list(instrument: ([], [[0x81, 6, 70, 0, 0]]))
    #expect(replaced.count == 11 && replaced[3].amount == 70)
    let added = try list(instrument: ([], [[0x81, 6, 70, 0, 0]]), preset: ([], [[0x81, 6, -10, 0, 0]]))
    #expect(added.count == 11 && added[3].amount == 60)
    #expect(try list(preset: ([], [[0x81, 6, 5, 0, 0]]))[3].amount == 55)
  }

  @Test("a font's own for a sound controller replaces the default's amount, or is added to it")
  func soundControllers() throws {
    let place = ZoneModulator.controllerPlaces.lowerBound + 3
    // Controller 74 to the cutoff, from −1 to 1.
    let brightness = [0x2CA, 8, 1200, 0, 0]
    #expect(try wholeList()[place].amount == 4800)
    #expect(try wholeList(instrument: ([], [brightness]))[place].amount == 1200)
    #expect(try wholeList(preset: ([], [brightness]))[place].amount == 6000)
    #expect(try wholeList(instrument: ([], [brightness])).count == ZoneModulator.defaults.count)
    // On another curve it is another one.
    #expect(try wholeList(instrument: ([], [[0xCA, 8, 1200, 0, 0]])).count == ZoneModulator.defaults.count + 1)
  }

  @Test("a zone knows which generators its modulators move, and which only while a sound controller is moved")
  func modulated() throws {
    func modulated(_ modulators: [[Int]]) throws -> (always: UInt64, byControllers: UInt64) {
      var builder = FontBuilder()
      builder.instruments[0].zones = [.init(generators: [(53, 0)], modulators: modulators)]
      let presets = try builder.playable()
      return try #require(presets.preset(bank: 0, program: 0)).pointee.zones[0].modulated
    }
    func bits(_ generators: Generator...) -> UInt64 { generators.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }
    let plain = try modulated([])
    #expect(
      plain.always
        == bits(
          .attenuation, .filterCutoff, .vibratoToPitch, .pan, .reverbSend, .chorusSend, .fineTuning, .balance))
    #expect(
      plain.byControllers
        == bits(
          .filterQ, .volumeRelease, .volumeAttack, .filterCutoff, .volumeDecay, .vibratoFrequency, .vibratoToPitch,
          .vibratoDelay, .attenuation))
    #expect(try modulated([[0xCA, 9, 100, 0, 0]]).always == plain.always | bits(.filterQ))
    // Velocity moves 127, which moves the resonance; the first one's own generator is meaningless.
    #expect(
      try modulated([[127, 9, 10, 0, 0], [2, 0x8000, 20, 0, 0]]).always == plain.always | bits(.filterQ))
  }

  @Test("another is appended with its curves, the instrument's before the preset's")
  func appended() throws {
    let modulators = try list(
      instrument: ([], [[0x0F82, 8, -1200, 0x0502, 2]]), preset: ([], [[0x000D, 5, 30, 0, 0]]))
    #expect(modulators.count == 13)
    let first = modulators[11]
    #expect(first.source.isController && first.source.index == 2 && first.source.curve == .switch)
    #expect(first.source.isNegative && first.source.isBipolar)
    #expect(first.amountSource.index == ModulatorSource.velocityIndex && first.amountSource.curve == .concave)
    #expect(first.destination == Generator.filterCutoff.rawValue && first.amount == -1200 && first.isAbsolute)
    #expect(modulators[12].destination == Generator.modulationToPitch.rawValue && modulators[12].amount == 30)
  }

  @Test("a zone's own overrules the identical one of the first zone; of two in a zone the last counts")
  func identical() throws {
    #expect(try list(instrument: ([[0x81, 6, 1, 0, 0]], [[0x81, 6, 2, 0, 0]]))[3].amount == 2)
    #expect(try list(instrument: ([[0x81, 6, 1, 0, 0]], []))[3].amount == 1)
    let both = try list(instrument: ([], [[2, 5, 1, 0, 0], [3, 5, 2, 0, 0], [2, 5, 3, 0, 0]]))
    #expect(both.dropFirst(11).map(\.amount) == [2, 3])
    #expect(try list(preset: ([[0x81, 6, 1, 0, 0]], [[0x81, 6, 2, 0, 0]]))[3].amount == 52)
  }

  @Test("what the standard forbids is left out, and no controller is a source")
  func forbidden() throws {
    #expect(try list(instrument: ([], [[0, 5, 9, 0, 0]])).count == 12)
    let sources = [1, 4, 15, 17, 0x80, 0x86, 0xA0, 0xA6, 0xE2, 0xE5, 0xF8, 0xFF]
    #expect(try list(instrument: ([], sources.map { [$0, 5, 9, 0, 0] })).count == 11)
    #expect(try list(instrument: ([], [[2, 5, 9, 4, 0], [2, 61, 9, 0, 0], [2, 300, 9, 0, 0]])).count == 11)
  }

  @Test("an unknown curve or transform has no amount, but replaces what it is identical to")
  func unknown() throws {
    #expect(try list(instrument: ([], [[0x1081, 6, 50, 0, 0]]))[3].amount == 0)
    #expect(try list(instrument: ([], [[0x81, 6, 50, 0, 1]]))[3].amount == 0)
  }

  @Test("a constant as the amount's source is the same with two halves")
  func constant() throws {
    #expect(try list(instrument: ([], [[0x81, 6, 7, 0x200, 0]]))[3].amount == 7)
  }

  @Test("a linked one comes before the one that it leads to, wherever they are in the file")
  func links() throws {
    // 0 leads to a generator, 1 and 3 lead to 0, 2 leads to 3; the plain one is 4.
    let chain = [
      [127, 8, 10, 0, 0], [2, 0x8000, 20, 0, 0], [3, 0x8003, 30, 0, 0], [127, 0x8000, 40, 0, 0], [13, 5, 50, 0, 0],
    ]
    let modulators = try list(instrument: ([], chain), preset: (chain, []))
    #expect(modulators.dropFirst(11).map(\.amount) == [100, 30, 20, 40, 10, 30, 20, 40, 10])
    #expect(modulators.dropFirst(11).map(\.link) == [-1, 14, 15, 15, -1, 18, 19, 19, -1])
    #expect(modulators[15].destination == Generator.filterCutoff.rawValue && modulators[15].source.index == 127)
  }

  @Test("a link that leads nowhere or in a circle is left out, and what it leads to")
  func brokenLinks() throws {
    #expect(try list(instrument: ([], [[2, 0x8001, 9, 0, 0]])).count == 11)
    #expect(try list(instrument: ([], [[2, 0x8001, 9, 0, 0], [3, 5, 9, 0, 0]])).map(\.amount).last == 9)
    #expect(try list(instrument: ([], [[2, 0x8001, 9, 0, 0], [3, 5, 9, 0, 0]])).count == 12)
    #expect(try list(instrument: ([], [[127, 5, 9, 0, 0]])).count == 11)
    let circle = [[2, 0x8001, 9, 0, 0], [127, 0x8002, 9, 0, 0], [127, 0x8001, 9, 0, 0]]
    #expect(try list(instrument: ([], circle)).count == 11)
    let long = (0..<70).map { [$0 == 0 ? 2 : 127, $0 == 69 ? 5 : 0x8001 + $0, 1, 0, 0] }
    #expect(try list(instrument: ([], long)).count == 11)
  }

  @Test("a voice has 64 of them at most beside the sound controllers', and the list takes no longer with thousands")
  func most() throws {
    let many = (0..<20000).map { [0x80 | ($0 % 30 + 64), $0 / 30 % 59, 1, 0x80 | ($0 / 1800 + 64), 0] }
    #expect(try list(instrument: (many, many), preset: (many, many)).count == 64)
  }
}
