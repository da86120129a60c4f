import AudioGraph
import Testing

@Suite("Effects")
struct EffectFormatTests {
  // quad ─► effect ─► output
  @Test(
    "refuse more than two channels",
    arguments: [EqualizerNode(), LimiterNode(), ReverbNode(), ChorusNode()] as [any AudioNode])
  func quad(effect: any AudioNode) {
    let quad = ConstantSource(1, name: "quad", format: AudioFormat(sampleRate: 48000, channelCount: 4))
    #expect(
      throws: GraphError.formatMismatch(
        source: "quad output bus 0", destination: "\(effect.name) input bus 0",
        reason: "the \(effect.name) takes mono or stereo, not 4 channels", remedy: "put a converter between them")
    ) { try AudioEngine.chain(quad.node, effect, output: try OutputNode(channelCount: 2)) }
  }

  // fast ─► effect ─► output
  @Test(
    "refuse a rate that they cannot run at",
    arguments: [EqualizerNode(), ReverbNode(), ChorusNode()] as [any AudioNode])
  func rate(effect: any AudioNode) {
    let fast = ConstantSource(1, name: "fast", format: .stereo(1_000_000))
    #expect(
      throws: GraphError.formatMismatch(
        source: "fast output bus 0", destination: "\(effect.name) input bus 0",
        reason: "the \(effect.name) cannot run at 1000000 Hz", remedy: "put a converter before it")
    ) { try AudioEngine.chain(fast.node, effect, output: try OutputNode(channelCount: 2)) }
  }
}
