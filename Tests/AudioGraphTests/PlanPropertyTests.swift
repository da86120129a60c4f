import AudioGraph
import SynthRealtime
import Testing

@Suite("The plan compiler, on random graphs")
struct PlanPropertyTests {
  static let seeds = Array(1...24 as ClosedRange<UInt64>)

  /// From 3 to 200 nodes.
  private func graph(_ seed: UInt64) throws -> RandomGraph {
    try RandomGraph(seed: seed, count: seed < 12 ? Int(seed) * 3 : seed < 23 ? Int(seed) * 5 : 200)
  }

  @Test("renders what the naive recursive pull renders, bit for bit", arguments: seeds)
  func equalsNaivePull(seed: UInt64) throws {
    let recipe = try graph(seed)
    let engine = AudioEngine(sampleRate: 48000)
    let compiled = try recipe.make()
    try engine.edit { graph in graph = compiled }
    let expected = try NaivePull(try recipe.make(), sampleRate: 48000).render(quantumCount: 60)
    let samples = engine.render(60 * 64, sliceSize: 100)
    #expect(FirstDifference(of: samples, from: expected) == nil, "in a graph of \(recipe.nodeCount) nodes")
    #expect(expected[0].contains { $0 != 0 } && expected[0].allSatisfy(\.isFinite))
  }

  //  one ─► mixer ─► away (44100 Hz) ─► back (48000 Hz) ─► delay ─┐
  //           ▲                                                    │
  //           └────────────────────────────────────────────────────┘
  @Test("renders a loop by way of another rate, wherever it is heard", arguments: ["mixer", "back", "delay"])
  func loop(heard: String) throws {
    func make() throws -> Graph {
      let nodes: [any AudioNode] = [
        ConstantSource(1).node, MixerNode(inputBusCount: 2), ConverterNode(name: "away", sampleRate: 44100),
        ConverterNode(name: "back"), try DelayNode(delay: 97 / 48000.0), try OutputNode(channelCount: 2),
      ]
      var graph = Graph()
      for node in nodes { try graph.attach(node) }
      for (source, destination) in zip(nodes.prefix(4), nodes.dropFirst()) {
        try graph.connect(source, to: destination)
      }
      try graph.connect(nodes[4], to: nodes[1], toBus: 1)
      for node in nodes where node.name == heard { try graph.connect(node, to: nodes[5]) }
      return graph
    }
    let compiled = try make()
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in graph = compiled }
    let expected = try NaivePull(try make(), sampleRate: 48000).render(quantumCount: 30)
    #expect(FirstDifference(of: engine.render(30 * 64, sliceSize: 100), from: expected) == nil)
    // What came round once made it 2, twice 3.
    #expect((expected[0].max() ?? 0) > 2.5)
  }

  //  bursts (44100 Hz) ─► up (96000 Hz) ─► mixer (48000 Hz, by a converter of the connection) ─► output
  @Test("lets a converter rest by what it hears, not by how far ahead the one before it is", arguments: 4...12)
  func rests(silentQuanta: Int) throws {
    func make() throws -> Graph {
      let bursts = SourceNode(name: "bursts", format: .stereo(44100)) { request in
        let quantum = Int(request.sampleTime) / renderQuantum
        guard quantum % (4 + silentQuanta) < 4 else { return request.buffers.silence() }
        for channel in 0..<2 { request.buffers[channel].update(repeating: 1, count: request.frameCount) }
      }
      let nodes: [any AudioNode] = [
        bursts, ConverterNode(sampleRate: 96000), MixerNode(inputBusCount: 1), try OutputNode(channelCount: 2),
      ]
      var graph = Graph()
      for node in nodes { try graph.attach(node) }
      for (source, destination) in zip(nodes, nodes.dropFirst()) { try graph.connect(source, to: destination) }
      return graph
    }
    let compiled = try make()
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in graph = compiled }
    let expected = try NaivePull(try make(), sampleRate: 48000).render(quantumCount: 100)
    #expect(FirstDifference(of: engine.render(100 * 64, sliceSize: 100), from: expected) == nil)
  }

  @Test("uses as many buffers of a channel count as hold something at once, and no more", arguments: seeds)
  func fewestBuffers(seed: UInt64) throws {
    let plan = try graph(seed).make().planDescription(sampleRate: 48000)
    let uses = BufferUse.all(in: plan)
    let widths = Set(uses.map(\.channelCount))
    let lowerBound = widths.reduce(0) { sum, width in
      sum + plan.steps.indices.map { step in uses.count { $0.channelCount == width && $0.steps.contains(step) } }.max()!
    }
    #expect(plan.bufferCount == lowerBound)
    for (index, use) in uses.enumerated() {
      for other in uses.dropFirst(index + 1) where other.buffer == use.buffer {
        #expect(!use.steps.overlaps(other.steps))
      }
    }
  }
}

/// From the step that fills a buffer to the last that reads it.
private struct BufferUse {
  let buffer: Int
  let channelCount: Int
  let steps: ClosedRange<Int>

  static func all(in plan: PlanDescription) -> [BufferUse] {
    var lastRead: [[Int]: Int] = [:]
    let place = Dictionary(uniqueKeysWithValues: plan.steps.enumerated().map { (ObjectIdentifier($1.node), $0) })
    for (index, step) in plan.steps.enumerated() {
      for source in step.inputs.compactMap(\.source) {
        guard let writer = place[ObjectIdentifier(source.node)] else { continue }
        lastRead[[writer, source.bus]] = max(lastRead[[writer, source.bus]] ?? 0, step.takesInputAfter ?? index)
      }
    }
    return plan.steps.enumerated().flatMap { index, step in
      step.outputs.enumerated().map { bus, output in
        let end = step.node is OutputNode ? plan.steps.count : lastRead[[index, bus]] ?? index
        return BufferUse(buffer: output.buffer, channelCount: output.format.channelCount, steps: index...end)
      }
    }
  }
}
