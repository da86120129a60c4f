import AudioGraph
import Glibc
import Testing

@Suite("Samples that are not finite")
struct NonFiniteSampleTests {
  // poisoned source ─► effect that adds NaN ─► output
  @Test(
    "of a source or an effect become 0 before any node hears them", arguments: [Float.nan, .infinity, -Float.infinity])
  func callbacks(_ bad: Float) throws {
    let source = SourceNode(format: .stereo(48000)) { request in
      for frame in 0..<request.frameCount {
        request.buffers[0][frame] = frame % 2 == 0 ? bad : 0.25
        request.buffers[1][frame] = 0.5
      }
    }
    let effect = EffectNode { $0.buffers[1][7] = bad }
    let engine = try AudioEngine.chain(source, effect, output: try OutputNode(channelCount: 2))
    let samples = engine.render(128)
    #expect(samples[0] == (0..<128).map { $0 % 2 == 0 ? 0 : 0.25 })
    #expect(samples[1] == (0..<128).map { $0 % 64 == 7 ? 0 : 0.5 })
  }

  @Test("of a buffer become 0, those that fade out too", arguments: [Float.nan, .infinity])
  func buffers(_ bad: Float) throws {
    let player = BufferPlayerNode(format: .mono(48000))
    let engine = try AudioEngine.chain(player, output: try OutputNode(channelCount: 1, sourceCount: 1))
    try player.schedule(AudioBuffer([(0..<256).map { $0 % 2 == 0 ? bad : 1 }], sampleRate: 48000), options: .loops)
    try player.schedule(AudioBuffer([[0.5, bad]], sampleRate: 48000), at: 100, options: .interrupts)
    player.play()
    let samples = engine.render(512, channels: 1)[0]
    #expect(samples.allSatisfy { $0.isFinite } && samples[..<100].contains(1) && samples[100] != 0)
  }

  // constant of 3e38 ─┐
  //                   ├─► mixer ─► output
  // constant of 3e38 ─┘
  @Test("that nodes make of finite ones do not leave the output node", arguments: [1, 2])
  func overflow(channels: Int) throws {
    let sources = [ConstantSource(3e38), ConstantSource(3e38)]
    let (mixer, output) = (MixerNode(inputBusCount: 2), try OutputNode(channelCount: channels))
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      for node in [mixer, output] + sources.map(\.node) as [any AudioNode] { try graph.attach(node) }
      for (bus, source) in sources.enumerated() { try graph.connect(source.node, to: mixer, toBus: bus) }
      try graph.connect(mixer, to: output)
    }
    #expect(engine.render(256, channels: channels).joined().allSatisfy { $0.isFinite })
  }

  @Test("at 120 dB and far beyond a limiter keeps its ceiling, and is itself again afterwards")
  func limiter() throws {
    for level: Float in [1e6, 1e8, 1e30, .greatestFiniteMagnitude] {
      let source = SourceNode(format: .mono(48000)) { request in
        let isLoud = request.sampleTime < 6400
        for frame in 0..<request.frameCount {
          // 1 kHz, and what passes bit for bit.
          let sine = Float(sin(Double(request.sampleTime &+ Int64(frame)) * 2 * .pi / 48))
          request.buffers[0][frame] = isLoud ? sine * level : frame % 2 == 0 ? 0.25 : -0.25
        }
      }
      let output = try OutputNode(channelCount: 1, sourceCount: 1)
      let engine = try AudioEngine.chain(source, LimiterNode(ceiling: 0), output: output)
      let loud = engine.render(6400, channels: 1)[0]
      #expect(loud.allSatisfy { abs($0) <= 1 }, "\(level)")
      let peaks = (1..<100).map { second in loud[64 * second..<64 * second + 64].reduce(0) { max($0, abs($1)) } }
      // A sine clipped to a square rises by up to 40 % between its samples.
      #expect(peaks.dropFirst().allSatisfy { $0 > 0.7 }, "\(level): \(peaks)")
      let quiet = engine.render(48000 * 12, channels: 1)[0]
      #expect(quiet.suffix(64).allSatisfy { abs($0) == 0.25 }, "\(level)")
    }
  }
}
