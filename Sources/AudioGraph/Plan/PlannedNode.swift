/// A node of a plan that is being compiled.
struct PlannedNode {
  let node: any AudioNode
  /// Whether the graph itself added it: the converter of a connection.
  let isImplicit: Bool
  /// What feeds each input bus.
  var sources: [PlannedSource?]
  var formats: BusFormats

  /// The rate it renders at, in hertz.
  var sampleRate: Double {
    formats.outputs.first?.sampleRate ?? formats.inputs.lazy.compactMap(\.self).first?.sampleRate ?? formats.sampleRate
  }

  /// Whether it takes its input in its own step.
  var isSplit: Bool {
    switch node.inputTiming {
    case .sameQuantum: false
    case .otherRate: inputRate != nil && inputRate != sampleRate
    case .delayed: true
    }
  }

  /// The rate of what is connected, in hertz.
  var inputRate: Double? { formats.inputs.lazy.compactMap(\.self).first?.sampleRate }

  /// Connects an input bus.
  mutating func feed(_ bus: Int, from source: PlannedSource, format: AudioFormat) {
    sources[bus] = source
    var inputs = formats.inputs
    inputs[bus] = format
    formats = BusFormats(inputs: inputs, outputs: formats.outputs, sampleRate: formats.sampleRate)
  }

  /// The same node where the others have other places.
  func renumbered(_ place: (Int) -> Int) -> PlannedNode {
    var node = self
    node.sources = sources.map { $0.map { PlannedSource(node: place($0.node), bus: $0.bus) } }
    return node
  }

  func outputEnd(_ bus: Int) -> BusEnd { BusEnd(node: node, scope: .output, bus: bus) }
  func inputEnd(_ bus: Int) -> BusEnd { BusEnd(node: node, scope: .input, bus: bus) }
}

/// An output bus of a planned node.
struct PlannedSource: Hashable {
  /// Which of the planned nodes.
  let node: Int
  let bus: Int
}
