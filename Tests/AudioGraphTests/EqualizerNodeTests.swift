import AudioGraph
import DSP
import Testing

@Suite("Equalizer node")
struct EqualizerNodeTests {
  private func curve(_ gain: Double) throws -> EqualizerCurve {
    try EqualizerCurve(gains: Array(repeating: Decibels(gain), count: EqualizerCurve.bandCount))
  }

  // counting ─► equalizer ─► output
  @Test("flat passes every bit", arguments: [1, 2])
  func flat(channels: Int) throws {
    let source = CountingSource(format: AudioFormat(sampleRate: 48000, channelCount: channels))
    let engine = try AudioEngine.chain(
      source.node, EqualizerNode(), output: try OutputNode(channelCount: channels, sourceCount: channels))
    #expect(engine.render(1000, channels: channels)[0] == (0..<1000).map(Float.init))
  }

  @Test("a curve set before rendering holds from the first frame, one set later after its fade of 100 ms")
  func curveChange() throws {
    let one = ConstantSource(1)
    let equalizer = EqualizerNode(curve: try curve(-6))
    let engine = try AudioEngine.chain(one.node, equalizer, output: try OutputNode(channelCount: 2))
    let before = engine.render(48000)[0]
    // All bands down by 6 dB leave a constant what the lowest band leaves of it: less than it was.
    #expect(before[0] < 0.9)
    equalizer.curve = .flat
    let after = engine.render(4864)[0]
    #expect(after[0] < 1)
    #expect(after.suffix(64).allSatisfy { $0 == 1 })
  }

  @Test("silence in is silence out, once the filters have decayed")
  func silence() throws {
    let engine = try AudioEngine.chain(
      silentSource, EqualizerNode(curve: try curve(3)), output: try OutputNode(channelCount: 2))
    #expect(engine.render(640).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }
}
