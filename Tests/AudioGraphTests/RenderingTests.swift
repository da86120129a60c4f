import AudioGraph
import SynthRealtime
import Testing

@Suite("Rendering")
struct RenderingTests {
  // counting ─► output
  @Test(
    "the device gets the source's frames in order, whatever the slice size", arguments: [1, 7, 64, 100, 441, 512, 4096])
  func sliceSizes(sliceSize: Int) throws {
    let source = CountingSource()
    let engine = try AudioEngine.chain(source.node, output: try OutputNode(channelCount: 2))
    let samples = engine.render(5000, sliceSize: sliceSize)
    #expect(samples[0] == (0..<5000).map(Float.init))
    #expect(samples[1] == (0..<5000).map { -Float($0) })
  }

  @Test("a quantum is rendered when its first frame is asked for, not before")
  func pull() throws {
    let source = CountingSource()
    let engine = try AudioEngine.chain(source.node, output: try OutputNode(channelCount: 2))
    #expect(source.callCount == 0)
    _ = engine.render(1)
    #expect(source.callCount == 1)
    _ = engine.render(63)
    #expect(source.callCount == 1)
    _ = engine.render(1)
    #expect(source.callCount == 2)
  }

  @Test("an engine without a graph is silent")
  func empty() {
    #expect(AudioEngine(sampleRate: 48000).render(3) == [[0, 0, 0], [0, 0, 0]])
  }

  @Test("channels the output does not have are silent, and those the caller does not want are left out")
  func channelCounts() throws {
    let source = ConstantSource(1)
    let engine = try AudioEngine.chain(source.node, output: try OutputNode(channelCount: 2))
    #expect(engine.render(1, channels: 3) == [[1], [2], [0]])
    #expect(engine.render(1, channels: 1) == [[1]])
  }

  //  one ──┬─► mixer ─► output
  //        └─► (second input)
  @Test("an output may feed several inputs and is rendered once")
  func fanOut() throws {
    let source = CountingSource()
    let mixer = MixerNode(inputBusCount: 2)
    let output = try OutputNode(channelCount: 2)
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      for node in [source.node, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(source.node, to: mixer, toBus: 0)
      try graph.connect(source.node, to: mixer, toBus: 1)
      try graph.connect(mixer, to: output)
    }
    #expect(engine.render(3)[0] == [0, 2, 4])
    #expect(source.callCount == 1)
  }

  // a ─► output      b
  @Test("what the output does not reach is not rendered")
  func unreached() throws {
    let source = CountingSource()
    let idle = CountingSource(name: "idle")
    let engine = try AudioEngine.chain(source.node, output: try OutputNode(channelCount: 2))
    try engine.edit { graph in try graph.attach(idle.node) }
    _ = engine.render(64)
    #expect(idle.callCount == 0)
  }

  @Test("an edit takes effect at the next quantum boundary")
  func editWhileRendering() throws {
    let one = ConstantSource(1)
    let five = ConstantSource(5)
    let output = try OutputNode(channelCount: 2)
    let engine = try AudioEngine.chain(one.node, output: output)
    _ = engine.render(32)
    try engine.edit(transition: .exact) { graph in
      try graph.attach(five.node)
      try graph.disconnect(input: output)
      try graph.connect(five.node, to: output)
      try graph.detach(one.node)
    }
    let samples = engine.render(64)[0]
    #expect(samples == Array(repeating: 1, count: 32) + Array(repeating: 5, count: 32))
  }
}
