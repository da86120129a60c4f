import AudioFiles
import AudioGraph
import Instruments

extension ComponentRegistry {
  /// Every kind of node of the package.
  public static func standard() throws(ComponentError) -> ComponentRegistry {
    try ComponentRegistry(Component.audioGraph, Component.instruments, Component.audioFiles, [.rack])
  }
}

extension Component {
  /// Here, because it takes the names of patches.
  fileprivate static let rack = Component(
    .instrument, "rack", name: "instruments", summary: "the sampler and oscillator instruments, by channel and key",
    creation: [choices] + RackNode.creation
  ) { values in
    let library = InstrumentLibrary.standard()
    var assignments: [InstrumentAssignment] = []
    for text in (values[choices]?.list ?? []).compactMap(\.text) {
      assignments += try InstrumentChoice(parsing: text).assignments(from: library)
    }
    return try RackNode(values, assignments: assignments)
  }

  /// As after `--instrument`: "pad", "3=bass".
  private static let choices = CreationProperty("instruments", kind: .list(of: .text, count: 1...256), isRequired: true)
}
