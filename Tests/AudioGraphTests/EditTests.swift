import AudioGraph
import Testing

@Suite("Edits")
struct EditTests {
  private let one = ConstantSource(1, name: "one")
  private let five = ConstantSource(5, name: "five")

  @Test("within an edit the engine shows the graph as it was before")
  func graphWithinEdit() throws {
    let engine = try AudioEngine.chain(one.node, output: try OutputNode(channelCount: 2))
    try engine.edit { [five] graph in
      try graph.attach(five.node)
      #expect(graph.nodes.count == 3)
      #expect(engine.graph.nodes.count == 2)
    }
    #expect(engine.graph.nodes.count == 3)
  }

  @Test("an edit, a reset or a step of the life cycle within an edit is an error, and no deadlock")
  func editWithinEdit() throws {
    let engine = try AudioEngine.chain(one.node, output: try OutputNode(channelCount: 2))
    try engine.edit { _ in
      #expect(throws: EngineError.withinEdit) { try engine.edit { _ in } }
      #expect(throws: EngineError.withinEdit) { try engine.reset() }
      #expect(throws: EngineError.withinEdit) { try engine.start() }
    }
    try engine.edit { _ in }
  }

  //  one ─┬► mixer ─► output      becomes      five ─┬► mixer ─► output
  //       └►                                         └►
  @Test("a node put in the place of another takes over all its connections")
  func replace() throws {
    let mixer = MixerNode(inputBusCount: 2)
    let engine = try AudioEngine.chain(one.node, mixer, output: try OutputNode(channelCount: 2))
    try engine.edit { [one] graph in try graph.connect(one.node, to: mixer, toBus: 1) }
    #expect(engine.render(64)[0] == Array(repeating: 2, count: 64))
    try engine.edit(transition: .exact) { [one, five] graph in try graph.replace(one.node, with: five.node) }
    #expect(engine.render(64)[0] == Array(repeating: 10, count: 64))
    #expect(engine.graph.nodes.first === five.node)
  }

  @Test("a node in the middle of a path can be replaced while audio runs")
  func replaceInside() throws {
    let (loud, other) = (MixerNode(name: "loud", inputBusCount: 1), MixerNode(name: "other", inputBusCount: 1))
    let engine = try AudioEngine.chain(one.node, loud, output: try OutputNode(channelCount: 2))
    _ = engine.render(64)
    try engine.edit(transition: .exact) { graph in try graph.replace(loud, with: other) }
    #expect(engine.render(64)[0] == Array(repeating: 1, count: 64))
    #expect(engine.graph.connections.map(\.source.node.name) == ["one", "other"])
  }

  @Test("a node with too few buses cannot take another's place, and nothing has changed")
  func tooFewBuses() throws {
    let mixer = MixerNode(inputBusCount: 2)
    let engine = try AudioEngine.chain(one.node, mixer, output: try OutputNode(channelCount: 2))
    try engine.edit { [five] graph in
      try graph.attach(five.node)
      try graph.connect(five.node, to: mixer, toBus: 1)
    }
    #expect(throws: GraphError.noSuchBus(node: "narrow", scope: .input, bus: 1, count: 1)) {
      try engine.edit { graph in try graph.replace(mixer, with: MixerNode(name: "narrow", inputBusCount: 1)) }
    }
    #expect(engine.render(1)[0] == [6])
  }

  @Test("what takes another's place must be new, and the other attached")
  func replaceRefused() throws {
    let engine = try AudioEngine.chain(one.node, output: try OutputNode(channelCount: 2))
    #expect(throws: GraphError.alreadyAttached(node: "one")) {
      try engine.edit { [one] graph in try graph.replace(one.node, with: one.node) }
    }
    #expect(throws: GraphError.notAttached(node: "five")) {
      try engine.edit { [one, five] graph in try graph.replace(five.node, with: one.node) }
    }
  }

  @Test("what was detached is freed once the audio has moved on, without another edit")
  func collect() throws {
    let output = try OutputNode(channelCount: 2)
    let engine = try AudioEngine.chain(one.node, output: output)
    weak var memory: AnyObject?
    do {
      let closure = Witness()
      memory = closure
      let source = SourceNode(name: "closure", format: .stereo(48000)) { request in
        withExtendedLifetime(closure) { request.buffers.silence() }
      }
      try engine.edit(transition: .exact) { [one] graph in try graph.replace(one.node, with: source) }
      _ = engine.render(64)
      try engine.edit(transition: .exact) { [one] graph in try graph.replace(source, with: one.node) }
    }
    #expect(memory != nil)
    _ = engine.render(64)
    #expect(try engine.collect())
    #expect(memory == nil)
  }

  @Test("where nobody renders, what was detached can be freed all the same")
  func collectWhileIdle() throws {
    let engine = try AudioEngine.chain(one.node, output: try OutputNode(channelCount: 2))
    _ = engine.render(64)
    try engine.edit(transition: .exact) { [one, five] graph in try graph.replace(one.node, with: five.node) }
    #expect(try engine.collect())
    #expect(engine.render(1)[0] == [5])
  }

  @Test("what was detached while frames of it are still to be delivered is not freed")
  func collectAmidQuantum() throws {
    let engine = try AudioEngine.chain(one.node, output: try OutputNode(channelCount: 2))
    _ = engine.render(1)
    try engine.edit(transition: .exact) { [one, five] graph in try graph.replace(one.node, with: five.node) }
    #expect(try !engine.collect())
    #expect(engine.render(64)[0] == Array(repeating: 1, count: 63) + [5])
    #expect(try engine.collect())
  }
}

private final class Witness: Sendable {}
