import AudioGraph
import Testing

@Suite("Channel map")
struct ChannelMapTests {
  // constant (left 1, right 2) ─► output of four channels
  @Test(
    "each destination plays the source its entry names",
    arguments: [
      ([0, 1, -1, -1], [1, 2, 0, 0]), ([-1, -1, 0, 1], [0, 0, 1, 2]), ([1, 0, 1, 0], [2, 1, 2, 1]),
      ([0, 0, 0, 0], [1, 1, 1, 1]), ([-2, 0, 1, -1], [1.5, 1, 2, 0]), ([-1, -1, -1, -1], [0, 0, 0, 0]),
    ] as [([Int], [Float])])
  func routes(map: [Int], expected: [Float]) throws {
    let source = ConstantSource(1)
    let output = try OutputNode(channelCount: 4, channelMap: ChannelMap(map))
    let engine = try AudioEngine.chain(source.node, output: output)
    #expect(engine.render(1, channels: 4) == expected.map { [$0] })
  }

  // mono constant 1 ─► output of four channels
  @Test(
    "a mono mix is on both sides, unless the map says otherwise",
    arguments: [nil, [-2, 0, -1, -1], [1, 0, -1, -1], [-1, 0, -1, 1], [0, -1, -1, -1]])
  func mono(map: [Int]?) throws {
    let source = ConstantSource(1, format: .mono(48000))
    let output = try OutputNode(channelCount: 4, channelMap: map.map { ChannelMap($0) })
    let engine = try AudioEngine.chain(source.node, output: output)
    let heard = (map ?? [0, 1, -1, -1]).map { [Float($0 == ChannelMap.silence ? 0 : 1)] }
    #expect(engine.render(1, channels: 4) == heard)
  }

  @Test("without a map the mix goes to the device's first channels")
  func direct() {
    #expect(ChannelMap.direct(from: 2, to: 4) == ChannelMap([0, 1, -1, -1]))
    #expect(ChannelMap.direct(from: 2, to: 1) == ChannelMap([0]))
  }

  /// Channel n of the mix is n + 1.
  @Test(
    "without a map nothing of a standard mix is lost: a single channel gets the mean, 5.1 is mixed down (ITU-R BS.775)",
    arguments: [
      (1, 1, [1]), (1, 2, [1, 1]), (2, 1, [1.5]), (2, 2, [1, 2]), (2, 6, [1, 2, 0, 0, 0, 0]),
      (6, 2, [1 + 0.70711 * (3 + 5), 2 + 0.70711 * (3 + 6)]), (6, 1, [1.5 + 0.70711 * (3 + 5.5)]),
      (6, 6, [1, 2, 3, 4, 5, 6]), (6, 8, [1, 2, 3, 4, 5, 6, 0, 0]),
    ] as [(Int, Int, [Float])])
  func standard(mix: Int, device: Int, expected: [Float]) throws {
    let source = ConstantSource(1, format: AudioFormat(sampleRate: 48000, channelCount: mix))
    let engine = try AudioEngine.chain(source.node, output: try OutputNode(channelCount: device))
    let heard = engine.render(64, channels: device).map { $0[63] }
    #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-4 } && heard.count == expected.count, "\(heard)")
  }

  @Test("a map that is given stays what it is on a single channel")
  func given() throws {
    let source = ConstantSource(1)
    let output = try OutputNode(channelCount: 1, channelMap: ChannelMap([0]))
    #expect(try AudioEngine.chain(source.node, output: output).render(1, channels: 1) == [[1]])
  }

  @Test("5.1 into a mixer is mixed down to stereo")
  func surroundInput() throws {
    let source = ConstantSource(1, format: AudioFormat(sampleRate: 48000, channelCount: 6))
    let engine = try AudioEngine.chain(
      source.node, MixerNode(inputBusCount: 1), output: try OutputNode(channelCount: 2))
    let heard = engine.render(64).map { $0[63] }
    #expect(abs(heard[0] - (1 + 0.70711 * 8)) < 1e-4 && abs(heard[1] - (2 + 0.70711 * 9)) < 1e-4)
  }

  @Test("an output converts a mix of another rate, as a mixer does", arguments: [24000, 44100, 96000.0])
  func otherRate(rate: Double) throws {
    func render(_ nodes: any AudioNode...) throws -> [Float] {
      let source = SineSource(format: .stereo(rate))
      let engine = AudioEngine(sampleRate: 48000)
      try engine.edit { graph in
        let chain = [source.node] + nodes
        for node in chain { try graph.attach(node) }
        for (source, destination) in zip(chain, nodes) { try graph.connect(source, to: destination) }
      }
      return withExtendedLifetime(source) { engine.render(4800)[0] }
    }
    let heard = try render(try OutputNode(channelCount: 2))
    #expect(try heard == render(MixerNode(inputBusCount: 1), try OutputNode(channelCount: 2)))
    #expect((heard.suffix(1000).max() ?? 0) > 0.99)
  }

  @Test("text becomes a map and a map text")
  func parsing() throws {
    #expect(try ChannelMap(parsing: "0, 1,-1,-1") == ChannelMap([0, 1, -1, -1]))
    #expect("\(ChannelMap([-1, 0]))" == "-1,0")
    #expect(try ChannelMap(parsing: "mono,-1") == ChannelMap([ChannelMap.mean, -1]))
    #expect("\(ChannelMap([0, ChannelMap.mean]))" == "0,mono")
  }

  @Test("an output shows the mean in its map as mono, and takes it so")
  func shownMean() throws {
    let output = try OutputNode(channelCount: 1)
    let map = try output.property(named: "channel map")
    #expect(map.description == "channel map mono" && map.value == ["mono"])
    try map.set([0])
    #expect(map.value == [0])
    for mean in ["mono", -2] as [PropertyValue] {
      try map.set([mean])
      #expect(output.channelMap == ChannelMap([ChannelMap.mean]))
    }
    for stranger in ["left", 2, -3] as [PropertyValue] {
      #expect(throws: PropertyError.self) { try map.set([stranger]) }
    }
  }

  @Test(
    "what is no map is refused with the entry at fault",
    arguments: [
      ("", ""), ("0,,1", ""), ("0,left", "left"), ("0,-2", "-2"), ("99999999999999999999", "99999999999999999999"),
    ])
  func malformed(text: String, entry: String) {
    #expect(throws: ChannelMapError.malformed(text, entry: entry)) { try ChannelMap(parsing: text) }
  }

  @Test("a map of the wrong length gives both numbers")
  func wrongLength() {
    let error = ChannelMapError.wrongLength(ChannelMap([0, 1]), sourceCount: 2, destinationCount: 4)
    #expect(throws: error) { try OutputNode(channelCount: 4, channelMap: ChannelMap([0, 1])) }
    #expect(
      "\(error)" == "setting channel map 0,1: it has 2 entries, the device 4 channels; "
        + "give one entry per device channel, as in 0,1,-1,-1")
  }

  @Test("what the error of a map of the wrong length advises is accepted", arguments: 1...5)
  func advice(sourceCount: Int) throws {
    let error = try #require(throws: ChannelMapError.self) {
      try OutputNode(channelCount: 3, sourceCount: sourceCount, channelMap: ChannelMap([0]))
    }
    let advice = try #require("\(error)".split(separator: " ").last)
    _ = try OutputNode(channelCount: 3, sourceCount: sourceCount, channelMap: ChannelMap(parsing: String(advice)))
  }

  @Test("no channels, or fewer, are none to be mapped")
  func noDestination() {
    #expect(throws: ChannelMapError.wrongLength(ChannelMap([]), sourceCount: 2, destinationCount: -1)) {
      try OutputNode(channelCount: -1)
    }
  }

  @Test("below silence there is nothing, neither for an output nor for a converter")
  func belowSilence() {
    let error = ChannelMapError.noSuchSource(ChannelMap([0, -5]), source: -5, sourceCount: 2)
    #expect(throws: error) { try OutputNode(channelCount: 2, channelMap: ChannelMap([0, -5])) }
  }

  @Test("a source that does not exist is named")
  func noSuchSource() {
    let error = ChannelMapError.noSuchSource(ChannelMap([0, 2]), source: 2, sourceCount: 2)
    #expect(throws: error) { try OutputNode(channelCount: 2, channelMap: ChannelMap([0, 2])) }
    #expect(
      "\(error)" == "setting channel map 0,2: source channel 2 does not exist; "
        + "the mix has channels 0 to 1, and -1 is silence")
  }
}
