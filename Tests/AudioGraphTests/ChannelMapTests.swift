import AudioGraph
import Testing

@Suite("Channel map")
struct ChannelMapTests {
  // constant (left 1, right 2) ─► output of four channels
  @Test(
    "each destination plays the source its entry names",
    arguments: [
      ([0, 1, -1, -1], [1, 2, 0, 0]), ([-1, -1, 0, 1], [0, 0, 1, 2]), ([1, 0, 1, 0], [2, 1, 2, 1]),
      ([0, 0, 0, 0], [1, 1, 1, 1]), ([-1, -1, -1, -1], [0, 0, 0, 0]),
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
    arguments: [nil, [1, 0, -1, -1], [-1, 0, -1, 1], [0, -1, -1, -1]])
  func mono(map: [Int]?) throws {
    let source = ConstantSource(1, format: .mono(48000))
    let output = try OutputNode(channelCount: 4, channelMap: map.map { ChannelMap($0) })
    let engine = try AudioEngine.chain(source.node, output: output)
    let heard = (map ?? [0, 1, -1, -1]).map { [Float($0 >= 0 ? 1 : 0)] }
    #expect(engine.render(1, channels: 4) == heard)
  }

  @Test("without a map the mix goes to the device's first channels")
  func direct() {
    #expect(ChannelMap.direct(from: 2, to: 4) == ChannelMap([0, 1, -1, -1]))
    #expect(ChannelMap.direct(from: 2, to: 1) == ChannelMap([0]))
  }

  @Test("text becomes a map and a map text")
  func parsing() throws {
    #expect(try ChannelMap(parsing: "0, 1,-1,-1") == ChannelMap([0, 1, -1, -1]))
    #expect("\(ChannelMap([-1, 0]))" == "-1,0")
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
    let error = ChannelMapError.wrongLength(ChannelMap([0, 1]), destinationCount: 4)
    #expect(throws: error) { try OutputNode(channelCount: 4, channelMap: ChannelMap([0, 1])) }
    #expect(
      "\(error)" == "setting channel map 0,1: it has 2 entries, the device 4 channels; "
        + "give one entry per device channel, as in 0,1,-1,-1")
  }

  @Test("no channels, or fewer, are none to be mapped")
  func noDestination() {
    #expect(throws: ChannelMapError.wrongLength(ChannelMap([]), destinationCount: -1)) {
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
