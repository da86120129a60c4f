import Testing

@testable import SynthSoundFonts

@Suite("Zones of presets")
struct ZoneTests {

  private func zones(_ builder: FontBuilder) throws -> [PlayableZone] {
    let preset = try #require(try builder.playable().preset(bank: 0, program: 0)).pointee
    return (0..<preset.zoneCount).map { preset.zones[$0] }
  }

  @Test("sound for the keys and velocities that both levels have")
  func ranges() throws {
    var builder = FontBuilder()
    builder.instruments[0].zones = [.init(generators: [(43, 60 << 8 | 20), (44, 255 << 8 | 50), (53, 0)])]
    builder.presets[0].zones = [.init(generators: [(43, 127 << 8 | 40), (41, 0)])]
    let zone = try zones(builder)[0]
    #expect(zone.lowestKey == 40 && zone.highestKey == 60 && zone.lowestVelocity == 50 && zone.highestVelocity == 127)
    #expect(zone.contains(key: 60, velocity: 50) && !zone.contains(key: 61, velocity: 50))
    builder.presets[0].zones = [.init(generators: [(43, 127 << 8 | 61), (41, 0)])]
    #expect(try builder.playable().preset(bank: 0, program: 0) == nil)
  }

  @Test("take a range only from the first generators, and the last of equal ones before the reference")
  func order() throws {
    var builder = FontBuilder()
    builder.instruments[0].zones = [
      .init(generators: [(17, 1), (43, 30 << 8 | 20), (44, 9), (17, 2), (53, 0), (17, 3)])
    ]
    let zone = try zones(builder)[0]
    #expect(zone.lowestKey == 0 && zone.highestKey == 127 && zone.highestVelocity == 127 && zone[.pan] == 2)
  }

  @Test("leave out generators that their level may not have")
  func levels() throws {
    var builder = FontBuilder()
    builder.presets[0].zones = [
      .init(generators: [0, 1, 2, 3, 4, 12, 45, 46, 47, 50, 54, 57, 58].map { ($0, 9) } + [(48, 100), (41, 0)])
    ]
    builder.instruments[0].zones = [
      .init(generators: [(58, 40), (54, 1), (59, 7), (60, 7), (14, 7), (48, 100), (53, 0)])
    ]
    let zone = try zones(builder)[0]
    #expect(zone[.rootKey] == 40 && zone[.sampleModes] == 1 && zone[.key] == -1 && zone[.startOffset] == 0)
    #expect(zone[.pitch] == 0 && zone[.balance] == 0 && zone[.attenuation] == 80)
  }

  @Test("come in the order of FluidSynth's voices: the last of each level first")
  func voices() throws {
    var builder = FontBuilder()
    builder.instruments = [
      .init(name: "A", zones: [.init(generators: [(17, 1), (53, 0)]), .init(generators: [(17, 2), (53, 0)])]),
      .init(name: "B", zones: [.init(generators: [(17, 3), (53, 0)]), .init(generators: [(17, 4), (53, 0)])]),
    ]
    builder.presets[0].zones = [.init(generators: [(41, 0)]), .init(generators: [(41, 1)])]
    #expect(try zones(builder).map { $0[.pan] } == [4, 3, 2, 1])
  }

  @Test("without a reference are left out and listed, unless they come first")
  func withoutReference() throws {
    var builder = FontBuilder()
    builder.instruments[0].zones = [
      .init(generators: [(17, 5)]), .init(generators: [(53, 0)]), .init(generators: [(17, 9)]),
    ]
    builder.presets[0].zones = [
      .init(generators: [(41, 0)]), .init(generators: [(41, 7)]), .init(generators: [(17, 9)]),
    ]
    let presets = try builder.playable()
    #expect(presets.preset(bank: 0, program: 0)?.pointee.zoneCount == 1)
    #expect(
      presets.problems.first.map(\.reason) == [
        "it has no instrument; it is left out", "its instrument 7 is not there; it is left out",
        "it has no sample; it is left out",
      ])
    #expect(presets.problems.first.map(\.chunk) == ["pbag", "pbag", "ibag"])
  }

  @Test("that lie beyond their chunks are left out and listed")
  func beyond() throws {
    var builder = FontBuilder()
    builder.damage["pgen"] = { _ in [] }
    var presets = try builder.playable()
    #expect(presets.preset(bank: 0, program: 0) == nil && presets.count == 0)
    #expect(
      presets.problems.first[0].description.hasPrefix("zone 0 of Preset: its generators or modulators are not there"))
    builder = FontBuilder()
    builder.damage["inst"] = { $0.dropLast(2) + [9, 0] }
    presets = try builder.playable()
    #expect(presets.problems.first[0].subject == "instrument 0 (Instrument)" && presets.count == 0)
  }

  @Test("that every preset multiplies cost no more memory than the file")
  func multiplied() throws {
    var builder = FontBuilder()
    builder.instruments[0].zones = .init(repeating: .init(generators: [(53, 0)]), count: 2000)
    builder.presets[0].zones = .init(repeating: .init(generators: [(41, 0)]), count: 2000)
    let presets = try builder.playable()
    #expect(presets.preset(bank: 0, program: 0)?.pointee.zoneCount == 4000)
    #expect(presets.problems.count == 1998)
  }

  @Test("are found by bank and program, the first of those in one place, if they were asked for")
  func lookup() throws {
    var builder = FontBuilder()
    builder.presets = [(128, 0), (0, 5), (0, 5), (3, 2)].enumerated().map { number, place in
      .init(name: "", bank: place.0, program: place.1, zones: [.init(generators: [(17, number), (41, 0)])])
    }
    let all = try builder.playable()
    #expect(all.count == 3 && all.problems.count == 1)
    #expect(all.preset(bank: 128, program: 0)?.pointee.zones[0][.pan] == 0)
    #expect(all.preset(bank: 0, program: 5)?.pointee.zones[0][.pan] == 1)
    #expect(all.preset(bank: 3, program: 2)?.pointee.zones[0][.pan] == 3)
    #expect(all.preset(bank: 3, program: 3) == nil && all.preset(bank: 200, program: 0) == nil)
    let some = FontBuilder.keep(PlayablePresets(try SoundFont(bytes: builder.bytes, name: "test"), presets: [3]))
    #expect(some.count == 1 && some.preset(bank: 3, program: 2) != nil && some.preset(bank: 0, program: 5) == nil)
  }
}
