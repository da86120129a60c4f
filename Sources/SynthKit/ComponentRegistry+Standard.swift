import AudioGraph
import SynthAudioFiles
import SynthInstruments

extension ComponentRegistry {
  /// Every kind of node of the package.
  public static func standard() throws(ComponentError) -> ComponentRegistry {
    let nodes = Component.audioGraph.map { $0.description == Component.equalizer.description ? .equalizer : $0 }
    let instruments = Component.instruments(engines: SamplerEngine.allCases)
    return try ComponentRegistry(nodes, instruments, Component.audioFiles, [.rack])
  }
}

extension Component {
  /// Here, because its presets are files.
  fileprivate static let equalizer = Component(
    .effect, "greq", aliases: ["ipeq"], name: "equalizer",
    summary: "ten bands; its curve, or one of the presets, changes while it plays"
  ) { values in
    EqualizerNode(name: values.name, presets: EqualizerPresetLibrary.standard().presets().presets.map(\.nodePreset))
  }

  /// Here, because it takes the names of patches.
  fileprivate static let rack = Component(
    .instrument, "rack", name: "instruments", summary: "the sampler and oscillator instruments, by channel and key",
    creation: [choices] + RackNode.creation(engines: SamplerEngine.allCases)
  ) { values in
    let library = InstrumentLibrary.standard()
    var assignments: [InstrumentAssignment] = []
    for text in (values[choices]?.list ?? []).compactMap(\.text) {
      assignments += try InstrumentChoice(parsing: text).assignments(from: library)
    }
    return try RackNode(values, assignments: assignments, engines: SamplerEngine.allCases)
  }

  /// As after `--instrument`: "pad", "3=bass".
  private static let choices = CreationProperty("instruments", kind: .list(of: .text, count: 1...256), isRequired: true)
}
