import AudioGraph
import SynthRealtime
import Testing

@Suite("An engine renders without a violation")
struct EngineTests {
  private let watched = WatchedEngine()

  /// node ─► output
  private func play(_ node: any AudioNode) throws -> OutputNode {
    let output = try OutputNode(channelCount: 2)
    try watched.engine.edit { graph in
      try graph.attach(node)
      try graph.attach(output)
      try graph.connect(node, to: output)
    }
    return output
  }

  @Test("from a Swift closure, but for a retain and a release in a debug build")
  func closure() throws {
    let gain = Gain()
    _ = try play(
      SourceNode(format: .stereo(48000)) { request in
        for frame in 0..<request.frameCount { request.buffers[0][frame] = gain.value }
      })
    watched.render(1024)
    #expect(watched.peak() == 0.5)
    #if DEBUG
      let tolerated: Set<String> = ["swift_retain", "swift_release"]
    #else
      let tolerated: Set<String> = []
    #endif
    #expect(watched.violations.functions.subtracting(tolerated).isEmpty, "\(watched.violations)")
  }

  // source ─► (input ─► equalizer ─► output) ─► output
  @Test("with a graph in it that has an input, while that is edited")
  func nested() throws {
    let inner = AudioEngine(sampleRate: 48000)
    let node = try GraphNode(inner, inputFormats: [.stereo(48000)])
    let equalizer = EqualizerNode(curve: try TestNodes.curve())
    let (innerOutput, source) = (try OutputNode(channelCount: 2), TestNodes.source())
    try inner.edit { graph in
      for node in [node.inputs[0], equalizer, innerOutput] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(node.inputs[0], to: equalizer)
      try graph.connect(equalizer, to: innerOutput)
    }
    _ = try play(node)
    try watched.engine.edit { graph in
      try graph.attach(source)
      try graph.connect(source, to: node)
    }
    watched.render(1024, sliceSize: 100)
    try inner.edit { graph in try graph.replace(equalizer, with: EqualizerNode()) }
    watched.render(1024, sliceSize: 100)
    #expect(watched.peak() > 0)
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }

  @Test("while taps come, overflow, deliver and go")
  func taps() throws {
    let source = TestNodes.source()
    _ = try play(source)
    let taps = [TapNode(), try TapNode { _ in }]
    try watched.engine.edit { graph in for tap in taps { try graph.tap(source, with: tap) } }
    watched.render(100_000)
    #expect(taps[0].droppedFrameCount > 0)
    try watched.engine.edit { graph in for tap in taps { try graph.detach(tap) } }
    watched.render(1024)
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }

  @Test("while it is reset and its nodes are replaced")
  func edits() throws {
    let equalizer = EqualizerNode(curve: try TestNodes.curve())
    _ = try play(equalizer)
    var source = TestNodes.source()
    try watched.engine.edit { graph in
      try graph.attach(source)
      try graph.connect(source, to: equalizer)
    }
    for _ in 0..<10 {
      watched.render(100, sliceSize: 100)
      try watched.engine.reset()
      watched.render(100, sliceSize: 100)
      let next = TestNodes.source()
      try watched.engine.edit { graph in try graph.replace(source, with: next) }
      source = next
    }
    watched.render(64)
    #expect(watched.peak() > 0)
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }
}

/// Something for a closure to hold on to.
private final class Gain: Sendable {
  let value: Float = 0.5
}
