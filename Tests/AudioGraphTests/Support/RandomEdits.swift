import AudioGraph
import TestSupport
import Testing

/// A running engine of constants, sums and flat equalizers that is edited at random, and what it must sound like.
///
/// With exact edits every sample is the value of the graph at its quantum: anything else is a gap, a click or an edit
/// half done. With faded ones that holds whenever the fades are over.
final class RandomEdits {
  private(set) var refusals: Set<String> = []
  private(set) var refusedCount = 0
  private(set) var acceptedCount = 0
  private let transition: EditTransition
  private let engine = AudioEngine(sampleRate: 48000)
  private let root = MixerNode(name: "root", inputBusCount: 4)
  private let output: OutputNode
  private var random: SplitMix64
  /// Attached, or waiting to be.
  private var nodes: [any AudioNode] = []
  /// Held, so that no other node takes the place of one in memory.
  private var constants: [ObjectIdentifier: (source: ConstantSource, value: Float)] = [:]
  private var references: [WeakNode] = []
  private var position = 0
  private var playing: Float = 0

  private struct WeakNode { weak var node: (any AudioNode)? }

  init(seed: UInt64, _ transition: EditTransition) throws {
    self.transition = transition
    random = SplitMix64(seed: seed)
    output = try OutputNode(channelCount: 2)
    try engine.edit { [root, output] graph in
      try graph.attach(root)
      try graph.attach(output)
      try graph.connect(root, to: output)
    }
  }

  /// How many of the nodes that were ever made still exist.
  var aliveCount: Int { references.count { $0.node != nil } }

  /// An edit of one to three changes, and a slice.
  func step() throws {
    let before = engine.graph
    do {
      try engine.edit(transition: transition) { graph in
        for _ in 0...max(0, random.next(below: 5) - 2) { try change(&graph) }
      }
      acceptedCount += 1
    } catch let error as GraphError {
      refusals.insert("\(error)")
      refusedCount += 1
      #expect(engine.graph.connections == before.connections)
      #expect(engine.graph.nodes.map(ObjectIdentifier.init) == before.nodes.map(ObjectIdentifier.init))
    }
    if transition == .exact {
      try render(1 + random.next(below: 200))
    } else {
      _ = engine.render(1 + random.next(below: 200))
      if (acceptedCount + refusedCount) % 20 == 0 { try settle() }
    }
    if nodes.count > 24 { nodes.removeFirst() }
  }

  /// Leaves nothing but the output, and lets go of all nodes.
  func detachAll() throws {
    try engine.edit(transition: transition) { graph in
      for node in graph.nodes where node !== output && node !== root { try graph.detach(node) }
    }
    (nodes, constants) = ([], [:])
    // The audio thread gives the last plan back, and the next edit lets go of it.
    if transition == .faded { try settle() } else { try render(128) }
    try engine.edit { _ in }
  }

  /// Renders until all fades are over.
  private func settle() throws {
    let value = value(of: root, in: engine.graph)
    let samples = engine.render(4096)[0]
    try #require(samples.last == value, "\(acceptedCount) edits taken, \(refusedCount) refused")
  }

  private func render(_ count: Int) throws {
    let value = value(of: root, in: engine.graph)
    let boundary = min(count, (64 - position % 64) % 64)
    let expected = Array(repeating: playing, count: boundary) + Array(repeating: value, count: count - boundary)
    let samples = engine.render(count)[0]
    try #require(samples == expected, "\(acceptedCount) edits taken, \(refusedCount) refused")
    position += count
    if count > boundary { playing = value }
  }

  private func value(of node: any AudioNode, in graph: Graph) -> Float {
    if let constant = constants[ObjectIdentifier(node)] { return constant.value }
    return (0..<node.inputBusCount).reduce(0) { sum, bus in
      guard let source = graph.source(of: BusEnd(node: node, scope: .input, bus: bus)) else { return sum }
      return sum + value(of: source.node, in: graph)
    }
  }

  private func change(_ graph: inout Graph) throws {
    let (node, other) = (any(), any())
    switch random.next(below: 8) {
    case 0: try graph.attach(make())
    case 1: try graph.attach(node)
    case 2 where node !== root: try graph.detach(node)
    case 3: try graph.disconnect(input: node, bus: random.next(below: 3))
    case 4: try graph.connect(node, to: root, toBus: random.next(below: 5))
    default: try graph.connect(node, to: other, toBus: random.next(below: 3))
    }
  }

  private func any() -> any AudioNode {
    nodes.isEmpty || random.next(below: 12) == 0 ? root : nodes[random.next(below: nodes.count)]
  }

  private func make() -> any AudioNode {
    let node: any AudioNode
    switch random.next(below: 3) {
    case 0: node = MixerNode(name: "sum", inputBusCount: 3)
    case 1: node = EqualizerNode()
    default:
      // Small whole numbers are added without an error.
      let value = Float(1 + random.next(below: 8))
      let source = ConstantSource(value)
      node = source.node
      constants[ObjectIdentifier(node)] = (source, value)
    }
    nodes.append(node)
    references.append(WeakNode(node: node))
    return node
  }
}
