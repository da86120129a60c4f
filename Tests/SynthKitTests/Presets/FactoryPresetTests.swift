import AudioGraph
import SynthDSP
import SynthKit
import TestSupport
import Testing

@Suite("The equalizer's presets as a node has them")
struct FactoryPresetTests {
  private let library = EqualizerPresetLibrary.standard()

  @Test("are those of the library, for a node of the registry and for a synthesizer's")
  func factory() throws {
    let names = library.presets().presets.map(\.name)
    #expect(names.count > 20)
    let made = try ComponentRegistry.standard().component(matching: ComponentDescription(parsing: "aufx/ipeq")).make()
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    for node in [made, synthesizer.equalizer] as [any AudioNode] {
      #expect(try node.property(named: "presets").value == .list(names.map { .text($0) }))
      #expect(try node.parameter(named: "preset").unit == .index(["none"] + names))
    }
    var configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont])
    configuration.equalizerPresets = []
    #expect(try Synthesizer(configuration).equalizer.parameters.isEmpty)
  }

  @Test("are the present preset, whoever chooses it")
  func present() throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    var control = SynthesizerControl(synthesizer)
    _ = try control.perform(.preset("pop"))
    #expect(try control.nodes.setting("preset", of: "equalizer").value == "pop")
    try control.nodes.set("preset", of: "equalizer", to: "rock")
    let rock = try library.preset("rock").curve
    #expect(control.preset == "rock" && synthesizer.equalizer.curve == rock)
    _ = try control.perform(.nextPreset)
    #expect(try control.nodes.setting("preset", of: "equalizer").value == control.preset && control.preset != "rock")
    _ = try control.perform(.preset("bands:1,1,1,1,1,1,1,1,1,1"))
    #expect(try control.nodes.setting("preset", of: "equalizer").value == "none")
    #expect(control.preset == "bands:1,1,1,1,1,1,1,1,1,1")
  }
}
