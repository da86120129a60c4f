import AudioGraph
import Testing

@Suite("Latency")
struct LatencyTests {
  /// The first frame that is not zero, of a source that begins at time 0.
  private func onset(_ engine: AudioEngine) -> Int? { engine.render(4096)[0].firstIndex { abs($0) > 1e-3 } }

  @Test("a chain is as late as the sum of its nodes, and that is when its sound begins")
  func sum() throws {
    let source = ConstantSource(0.25)
    try withExtendedLifetime(source) {
      let output = try OutputNode(channelCount: 2)
      let engine = try AudioEngine.chain(
        source.node, EqualizerNode(), LimiterNode(), LimiterNode(name: "second"), output: output)
      #expect(engine.latency == 2 * LimiterNode.latency)
      #expect(onset(engine) == engine.latency)
    }
  }

  // source ─┬► limiter ─► mixer ─► output
  //         └───────────►
  @Test("of several paths the longest counts, and a node that nothing hears does not")
  func longest() throws {
    let source = ConstantSource(0.25)
    let (limiter, unheard, mixer) = (LimiterNode(), LimiterNode(name: "unheard"), MixerNode(inputBusCount: 2))
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      for node in [source.node, limiter, unheard, mixer, try OutputNode(channelCount: 2)] as [any AudioNode] {
        try graph.attach(node)
      }
      try graph.connect(source.node, to: mixer)
      try graph.connect(mixer, to: graph.nodes[4])
    }
    #expect(engine.latency == 0)
    try engine.edit { graph in
      try graph.connect(source.node, to: limiter)
      try graph.connect(limiter, to: mixer, toBus: 1)
      try graph.connect(limiter, to: unheard)
    }
    #expect(engine.latency == LimiterNode.latency)
  }

  @Test(
    "what a connection converts is late by its converter, in frames of the engine; a delay is an effect, not latency")
  func converted() throws {
    let source = SineSource(format: .stereo(44100))
    try withExtendedLifetime(source) {
      let (mixer, delay) = (MixerNode(inputBusCount: 1), try DelayNode(delay: 0.01))
      let engine = try AudioEngine.chain(source.node, mixer, delay, output: try OutputNode(channelCount: 2))
      let converter = ConverterNode(sampleRate: 48000)
      _ = try AudioEngine.chain(
        SineSource(format: .stereo(44100)).node, converter, output: try OutputNode(channelCount: 2))
      #expect(converter.latency > 0 && engine.latency == converter.latency)
    }
  }

  @Test("a graph that is a node is as late as what is inside it, at its own rate")
  func nested() throws {
    let inner = AudioEngine(sampleRate: 24000)
    let node = try GraphNode(inner)
    let source = ConstantSource(0.25, format: .stereo(24000))
    try withExtendedLifetime(source) {
      try inner.edit { graph in
        let limiter = LimiterNode()
        let output = try OutputNode(channelCount: 2)
        for node in [source.node, limiter, output] as [any AudioNode] { try graph.attach(node) }
        try graph.connect(source.node, to: limiter)
        try graph.connect(limiter, to: output)
      }
      let converter = ConverterNode()
      let engine = try AudioEngine.chain(node, converter, output: try OutputNode(channelCount: 2))
      #expect(node.latency == LimiterNode.latency)
      #expect(engine.latency == 2 * LimiterNode.latency + converter.latency)
    }
  }
}
