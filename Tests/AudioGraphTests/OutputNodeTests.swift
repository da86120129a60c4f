import AudioGraph
import TestSupport
import Testing

@Suite("The output node")
struct OutputNodeTests {
  /// Channel c plays 1 + c.
  private func engine(_ channels: Int, _ output: OutputNode) throws -> AudioEngine {
    let format = AudioFormat(sampleRate: 48000, channelCount: channels)
    return try AudioEngine.chain(ConstantSource(1, format: format).node, output: output)
  }

  @Test("refuses a mix of which channels would be lost, and says what keeps them", arguments: [(3, 2), (4, 3), (5, 2)])
  func lostChannels(mix: Int, device: Int) throws {
    let error = try #require(throws: GraphError.self) { try engine(mix, OutputNode(channelCount: device)) }
    let reason = "the mix has \(mix) channels, the device \(device), and \(mix - device) would be lost;"
    #expect("\(error)".contains(reason))
    // What it advises.
    let map = ChannelMap((0..<device).map { $0 + mix - device })
    let mapped = try engine(mix, OutputNode(channelCount: device, sourceCount: mix, channelMap: map))
    #expect(mapped.render(1, channels: device) == map.sources.map { [Float($0 + 1)] })
  }

  @Test("refuses a mix with more channels than its map chooses from", arguments: [2, 6])
  func unmappedChannels(mix: Int) throws {
    func output(_ sourceCount: Int) throws -> OutputNode {
      try OutputNode(channelCount: 2, sourceCount: sourceCount, channelMap: ChannelMap([0, 0]))
    }
    let error = try #require(throws: GraphError.self) { try engine(mix, output(1)) }
    #expect("\(error)".hasSuffix("make the output node with a sourceCount of \(mix)"))
    #expect(try engine(mix, output(mix)).render(1) == [[1], [1]])
  }

  @Test("loses nothing of a mix on a device with one channel, nor of surround sound on one with two")
  func mixedDown() throws {
    #expect(try engine(2, OutputNode(channelCount: 1, sourceCount: 1)).render(64, channels: 1)[0][63] == 1.5)
    #expect(try engine(3, OutputNode(channelCount: 1)).render(64, channels: 1)[0][63] == 2)
    let quad = try engine(4, OutputNode(channelCount: 2)).render(64)
    // The surrounds come at -3 dB.
    let part = Float(0.5).squareRoot()
    let (left, right): (Float, Float) = (1 + 3 * part, 2 + 4 * part)
    #expect(abs(quad[0][63] - left) < 1e-5)
    #expect(abs(quad[1][63] - right) < 1e-5)
  }

  // constant ─► output ─► tap
  @Test("can be tapped: what the device gets, after the channel map")
  func tap() throws {
    let output = try OutputNode(channelCount: 3, channelMap: ChannelMap([1, -1, 0]))
    #expect(output.outputBusCount == 1)
    let engine = try engine(2, output)
    let tap = TapNode()
    try engine.edit { graph in try graph.tap(output, with: tap) }
    _ = try engine.render(frameCount: 128)
    var samples: [[Float]] = []
    tap.read { block in samples = (0..<3).map { Array(block[$0]) } }
    #expect(samples == [2, 0, 1].map { [Float](repeating: $0, count: 128) })
    try engine.edit { graph in try graph.detach(tap) }
    #expect(engine.render(1, channels: 3) == [[2], [0], [1]])
  }
}

@Suite("A graph without an output node")
struct GraphWithoutOutputTests {
  // constant ─► tap
  @Test("can be edited and rendered by hand, for its taps alone, and gets its output node later")
  func rendering() throws {
    let (one, tap) = (ConstantSource(1).node, TapNode())
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      try graph.attach(one)
      try graph.tap(one, with: tap)
    }
    #expect(engine.latency == 0)
    #expect(engine.render(64) == [[Float]](repeating: [Float](repeating: 0, count: 64), count: 2))
    var count = 0
    tap.read { count += $0.frameCount }
    #expect(count == 64)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      try graph.attach(output)
      try graph.connect(one, to: output)
    }
    #expect(engine.render(64)[1][63] == 2)
    try engine.edit { graph in try graph.detach(output) }
    #expect(engine.render(64)[1][63] == 0)
  }

  @Test("cannot be started, and while it plays no edit takes the output node away")
  func start() throws {
    let unit = TestOutput()
    let engine = AudioEngine(output: unit)
    let (one, output) = (ConstantSource(1).node, try OutputNode(channelCount: 2))
    try engine.edit { graph in try graph.attach(one) }
    let error = GraphError.outputNodes(count: 0)
    #expect(throws: error) { try engine.start() }
    #expect(engine.state == .stopped && !unit.isRunning)
    try engine.edit { graph in
      try graph.attach(output)
      try graph.connect(one, to: output)
    }
    try engine.start()
    #expect(throws: error) { try engine.edit { graph in try graph.detach(output) } }
    #expect(unit.render(1) == [1])
    try engine.stop()
  }
}
