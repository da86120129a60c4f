import AudioGraph
import SynthDSP
import SynthRealtime
import Testing

@Suite("A graph as a node")
struct GraphNodeTests {
  /// input ─► equalizer ─► output, in its own engine
  private func strip(_ curve: EqualizerCurve) throws -> GraphNode {
    let inner = AudioEngine(sampleRate: 48000)
    let strip = try GraphNode(name: "strip", inner, inputFormats: [.stereo(48000)])
    let equalizer = EqualizerNode(curve: curve)
    let output = try OutputNode(channelCount: 2)
    try inner.edit { graph in
      for node in [strip.inputs[0], equalizer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(strip.inputs[0], to: equalizer)
      try graph.connect(equalizer, to: output)
    }
    return strip
  }

  private func curve() throws -> EqualizerCurve {
    try EqualizerCurve(gains: (0..<EqualizerCurve.bandCount).map { Decibels($0.isMultiple(of: 2) ? 6 : -6) })
  }

  //  counting ─► mixer ─► (input ─► equalizer ─► output) ─► output
  @Test("a nested graph gives the samples of the flat one", arguments: [1, 64, 100, 4096])
  func flat(sliceSize: Int) throws {
    let flat = try AudioEngine.chain(
      CountingSource().node, MixerNode(inputBusCount: 1), EqualizerNode(curve: try curve()),
      output: try OutputNode(channelCount: 2))
    let nested = try AudioEngine.chain(
      CountingSource().node, MixerNode(inputBusCount: 1), try strip(try curve()),
      output: try OutputNode(channelCount: 2))
    #expect(nested.render(1000, sliceSize: sliceSize) == flat.render(1000, sliceSize: sliceSize))
  }

  @Test("a graph in a graph in a graph gives them too")
  func deep() throws {
    let flat = try AudioEngine.chain(
      CountingSource().node, EqualizerNode(curve: try curve()), output: try OutputNode(channelCount: 2))
    let middle = AudioEngine(sampleRate: 48000)
    let outer = try GraphNode(name: "outer", middle, inputFormats: [.stereo(48000)])
    let inner = try strip(try curve())
    let output = try OutputNode(channelCount: 2)
    try middle.edit { graph in
      for node in [outer.inputs[0], inner, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(outer.inputs[0], to: inner)
      try graph.connect(inner, to: output)
    }
    let nested = try AudioEngine.chain(CountingSource().node, outer, output: try OutputNode(channelCount: 2))
    #expect(nested.render(1000) == flat.render(1000))
  }

  @Test("the inner graph is edited by itself, and goes on from there at the next quantum")
  func innerEdit() throws {
    let inner = AudioEngine(sampleRate: 48000)
    let node = try GraphNode(inner)
    let (one, counting) = (ConstantSource(1), CountingSource())
    let output = try OutputNode(channelCount: 2)
    try inner.edit { graph in
      try graph.attach(one.node)
      try graph.attach(output)
      try graph.connect(one.node, to: output)
    }
    let engine = try AudioEngine.chain(node, output: try OutputNode(channelCount: 2))
    _ = engine.render(32)
    try inner.edit(transition: .exact) { graph in try graph.replace(one.node, with: counting.node) }
    #expect(engine.render(64)[0] == Array(repeating: 1, count: 32) + (64..<96).map(Float.init))
  }

  @Test("without a graph, or without an input, it is silent")
  func silent() throws {
    let empty = try GraphNode(AudioEngine(sampleRate: 48000))
    let engine = try AudioEngine.chain(empty, output: try OutputNode(channelCount: 2))
    #expect(engine.render(2)[0] == [0, 0])
    let unconnected = try AudioEngine.chain(try strip(.flat), output: try OutputNode(channelCount: 2))
    #expect(unconnected.render(2)[0] == [0, 0])
  }

  @Test("an engine that is a node is neither started nor rendered by itself, and once it is none it can be")
  func inCharge() throws {
    let inner = AudioEngine(output: TestOutput())
    do {
      let node = try GraphNode(inner)
      #expect(throws: EngineError.pulled(operation: "starting", by: .outerEngine)) { try inner.start() }
      #expect(throws: EngineError.pulled(operation: "rendering", by: .outerEngine)) {
        try inner.render(frameCount: 1)
      }
      #expect(throws: EngineError.pulled(operation: "nesting", by: .outerEngine)) { try GraphNode(inner) }
      withExtendedLifetime(node) {}
    }
    try inner.start()
    #expect(throws: EngineError.pulled(operation: "nesting", by: .outputUnit)) { try GraphNode(inner) }
  }

  @Test("an inner output node with other channels than the node has is refused, then and later")
  func channelCount() throws {
    let inner = AudioEngine(sampleRate: 48000)
    let (mono, stereo) = (try OutputNode(channelCount: 1), try OutputNode(channelCount: 2))
    let refusal = EngineError.channelCount(outputNode: 1, player: "box", channels: 2)
    try inner.edit { graph in try graph.attach(mono) }
    #expect(throws: refusal) { try GraphNode(name: "box", inner) }
    try inner.edit { graph in
      try graph.detach(mono)
      try graph.attach(stereo)
    }
    let node = try GraphNode(name: "box", inner)
    #expect(throws: refusal) {
      try inner.edit { graph in
        try graph.detach(stereo)
        try graph.attach(mono)
      }
    }
    withExtendedLifetime(node) {}
  }

  //  (streaming at 192 kHz ─► output) ─► mixer ─► output
  @Test("what streams in a faster graph is told of as many frames as are rendered", arguments: [64, 100, 4096])
  func streaming(sliceSize: Int) throws {
    let inner = AudioEngine(sampleRate: 192_000)
    let streaming = CountedStream()
    try inner.edit { graph in
      let output = try OutputNode(channelCount: 2)
      for node in [streaming, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(streaming, to: output)
    }
    let engine = try AudioEngine.chain(
      try GraphNode(inner), MixerNode(inputBusCount: 1), output: try OutputNode(channelCount: 2))
    _ = engine.render(4096, sliceSize: sliceSize)
    #expect(streaming.counts.pointer.pointee.rendered > 4096)
    #expect(streaming.counts.pointer.pointee.missing == 0)
  }

  @Test("a reset that the inner graph refuses is one that the outer refuses")
  func refusedReset() throws {
    let inner = AudioEngine(sampleRate: 48000)
    let fickle = SilentNode(name: "fickle", busCount: 2)
    try inner.edit { graph in
      let (mixer, output) = (MixerNode(inputBusCount: 1), try OutputNode(channelCount: 2))
      for node in [fickle, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(fickle, to: mixer, fromBus: 1)
      try graph.connect(mixer, to: output)
    }
    let engine = try AudioEngine.chain(try GraphNode(inner), output: try OutputNode(channelCount: 2))
    try engine.reset()
    fickle.busCount.store(1, ordering: .relaxed)
    #expect(throws: GraphError.busGone(bus: "fickle output bus 1", count: 1)) { try engine.reset() }
  }

  @Test("a graph that has itself in it, at whatever depth, is refused")
  func withinItself() throws {
    let (inner, outer) = (AudioEngine(sampleRate: 48000), AudioEngine(sampleRate: 48000))
    let (innerNode, outerNode) = (try GraphNode(name: "inner", inner), try GraphNode(name: "outer", outer))
    #expect(throws: EngineError.withinItself(node: "inner")) {
      try inner.edit { graph in try graph.attach(innerNode) }
    }
    try outer.edit { graph in
      try graph.attach(innerNode)
      try graph.attach(try OutputNode(channelCount: 2))
    }
    #expect(throws: EngineError.withinItself(node: "outer")) {
      try inner.edit { graph in try graph.attach(outerNode) }
    }
  }

  @Test("another format than the input was made for is refused with both")
  func format() throws {
    let mono = ConstantSource(1, name: "mono", format: .mono(48000))
    #expect(
      throws: GraphError.formatMismatch(
        source: "mono output bus 0", destination: "strip input bus 0",
        reason: "it carries 48000 Hz mono, strip was made for 48000 Hz stereo",
        remedy: "put a converter between them")
    ) { try AudioEngine.chain(mono.node, try strip(.flat), output: try OutputNode(channelCount: 2)) }
  }
}

/// Silent; counts the frames it renders without having been told of them.
private final class CountedStream: AudioNode {
  let name = "streaming"
  let inputBusCount = 0
  let outputBusCount = 1
  let isStreaming = true
  let counts = Counts()

  final class Counts: @unchecked Sendable {
    let pointer = UnsafeMutablePointer<(room: Int, rendered: Int, missing: Int)>.allocate(capacity: 1)

    init() { pointer.initialize(to: (0, 0, 0)) }

    deinit { pointer.deallocate() }
  }

  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] { [.stereo(sampleRate)] }

  func kernel(for formats: BusFormats) -> Kernel {
    Kernel(counts.pointer, retaining: [counts]) { counts, context in
      let counts = counts.assumingMemoryBound(
        to: UnsafeMutablePointer<(room: Int, rendered: Int, missing: Int)>.self
      ).pointee
      counts.pointee.room -= renderQuantum
      counts.pointee.rendered += renderQuantum
      if counts.pointee.room < 0 { counts.pointee.missing += renderQuantum }
      context.assumingMemoryBound(to: RenderContext.self).pointee.output(0).silence()
    }
  }

  func prepareToRender(frameCount: Int) { counts.pointer.pointee.room = frameCount }
}
