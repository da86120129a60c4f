import Testing

@testable import SynthSoundFonts

@Suite("Presets made playable")
struct PlayablePresetsTests {
  @Test("a note's zone has the standard's generators, the default modulators and its sample")
  func plainZone() throws {
    let presets = try FontBuilder().playable()
    let preset = try #require(presets.preset(bank: 0, program: 0)).pointee
    #expect(preset.zoneCount == 1)
    let zone = preset.zones[0]
    #expect(zone.contains(key: 0, velocity: 127))
    #expect(zone[.filterCutoff] == 13500 && zone[.volumeAttack] == -12000 && zone[.pan] == 0 && zone[.rootKey] == -1)
    #expect(zone.modulatorCount == ZoneModulator.defaults.count)
    #expect(zone.sample.words[zone.sample.start + 99] == 99)
    #expect(zone.sample.span() == SampleSpan(start: 0, end: 100, loopStart: 10, loopEnd: 90, canLoop: true))
    #expect(presets.preset(bank: 0, program: 1) == nil)
  }

  @Test("an instrument's zone replaces, a preset's adds, and each overrules the first zone of its level")
  func precedence() throws {
    var font = FontBuilder()
    font.instruments[0].zones = [
      .init(generators: [(17, 100), (51, 3), (52, 7)]), .init(generators: [(17, 200), (53, 0)]),
    ]
    font.presets[0].zones = [.init(generators: [(17, 10), (51, 4)]), .init(generators: [(17, 20), (41, 0)])]
    let presets = try font.playable()
    let zone = try #require(presets.preset(bank: 0, program: 0)).pointee.zones[0]
    #expect(zone[.pan] == 220 && zone[.coarseTuning] == 7 && zone[.fineTuning] == 7)
  }
}
