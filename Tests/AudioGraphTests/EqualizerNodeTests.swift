import AudioGraph
import SynthDSP
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

  @Test("a preset is chosen by a parameter; a curve takes its place until one is chosen again")
  func presets() throws {
    let (soft, low) = (try curve(-6), try curve(-12))
    let equalizer = EqualizerNode(
      curve: soft, presets: [.init(name: "flat", curve: .flat), .init(name: "low", curve: low)])
    let engine = try AudioEngine.chain(ConstantSource(1).node, equalizer, output: try OutputNode(channelCount: 2))
    func level() -> Float { engine.render(48000)[0].last ?? .nan }
    let set = level()
    #expect(equalizer.parameters.map(\.name) == ["preset"])
    #expect(equalizer.curve == soft && set < 1)
    equalizer.preset.value = 1
    #expect(level() == 1 && equalizer.curve == .flat)
    equalizer.preset.value = 2
    let chosen = level()
    #expect(chosen != set && chosen < 1 && equalizer.curve == low)
    equalizer.curve = .flat
    #expect(level() == 1 && equalizer.preset.value == 0 && equalizer.curve == .flat)
    equalizer.preset.value = 2
    #expect(level() == chosen)
    equalizer.preset.value = 0
    #expect(level() == 1)
    #expect(EqualizerNode().parameters.isEmpty)
  }

  @Test(
    "a preset that is scheduled begins to fade in at its frame, in slices of any size", arguments: [64, 100, 4096])
  func scheduled(sliceSize: Int) throws {
    let equalizer = EqualizerNode(presets: [.init(name: "low", curve: try curve(-12))])
    let engine = try AudioEngine.chain(ConstantSource(1).node, equalizer, output: try OutputNode(channelCount: 2))
    try engine.schedule(equalizer.preset, to: 1, at: 6437)
    var output: [Float] = []
    while output.count < 16000 { output += engine.render(sliceSize)[0] }
    #expect(output.firstIndex { $0 != 1 } == 6437)
    // The lowest band is turned down by 12 dB, so a constant keeps what that leaves of it.
    #expect(output[15999] < 0.9)
  }

  @Test("silence in is silence out, once the filters have decayed")
  func silence() throws {
    let engine = try AudioEngine.chain(
      silentSource, EqualizerNode(curve: try curve(3)), output: try OutputNode(channelCount: 2))
    #expect(engine.render(640).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }
}
