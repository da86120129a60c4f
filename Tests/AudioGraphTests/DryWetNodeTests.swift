import SynthRealtime
import Testing

@testable import AudioGraph

/// A source that counts frames, an effect, and a mix of both.
///
///     source ─┬────────────► dry wet ─► output
///             └─► effect ──►
@Suite("A mix of dry and wet")
struct DryWetNodeTests {
  private let node = DryWetNode(sampleRate: 48000)

  private func engine(
    _ effect: any AudioNode, from source: SourceNode = CountingSource().node, to other: DryWetNode? = nil
  ) throws -> AudioEngine {
    let (engine, node) = (AudioEngine(sampleRate: 48000), other ?? node)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      for node in [source, effect, node, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(source, to: effect)
      try graph.connect(source, to: node)
      try graph.connect(effect, to: node, toBus: 1)
      try graph.connect(node, to: output)
    }
    return engine
  }

  /// Doubles what it gets.
  private var doubling: EffectNode {
    EffectNode { request in
      for channel in 0..<request.buffers.channelCount {
        for frame in 0..<request.frameCount { request.buffers[channel][frame] *= 2 }
      }
    }
  }

  @Test("is the effect bit for bit at 100 %, the dry sound bit for bit at 0 % and bypassed, and half of both between")
  func shares() throws {
    let engine = try engine(doubling)
    func factor() -> Float {
      // Ramps are over after 20 ms.
      let start = Float(engine.sampleTime + 1024)
      let samples = engine.render(2048)[0][1024...]
      let factor = (samples.last ?? 0) / (start + 1023)
      let isExact = samples.enumerated().allSatisfy { $1 == (start + Float($0)) * factor }
      return isExact ? factor : .nan
    }
    #expect(factor() == 2)
    node.bypass.value = 1
    #expect(factor() == 1)
    node.bypass.value = 0
    node.mix.value = 50
    #expect(factor() == 1.5)
    node.mix.value = 0
    #expect(factor() == 1)
    node.mix.value = 100
    #expect(factor() == 2)
  }

  @Test("dry and wet are aligned to the sample where the effect is late", arguments: [0, 50, 100])
  func aligned(mix: Float) throws {
    // Below its ceiling a limiter changes no bit.
    let source = SourceNode(name: "quiet", format: .stereo(48000)) { request in
      for channel in 0..<2 {
        for frame in 0..<request.frameCount {
          request.buffers[channel][frame] = Float(request.sampleTime + Int64(frame)) / 65536
        }
      }
    }
    node.mix.value = mix
    let engine = try engine(LimiterNode(), from: source)
    #expect(engine.latency == LimiterNode.latency)
    let samples = engine.render(8192)[0]
    let isLate = samples.enumerated().allSatisfy { $1 == Float(max(0, $0 - LimiterNode.latency)) / 65536 }
    #expect(isLate)
    node.bypass.value = 1
    let more = engine.render(8192)[0]
    let isSame = more.enumerated().allSatisfy { $1 == Float(8192 + $0 - LimiterNode.latency) / 65536 }
    #expect(isSame)
  }

  @Test("a change is a ramp of 20 ms, set at once or scheduled to the frame")
  func ramps() throws {
    let constant = ConstantSource(0.25)
    let engine = try engine(doubling, from: constant.node)
    _ = engine.render(128)
    node.bypass.value = 1
    let samples = engine.render(2048)[0]
    let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }
    #expect(samples[0] > 0.49 && samples[2047] == 0.25 && steps.max() ?? 0 < 0.25 / 900)
    try engine.schedule(node.bypass, to: 0, at: 128 + 2048 + 100, over: 10)
    let scheduled = engine.render(256)[0]
    #expect(scheduled[99] == 0.25 && scheduled[104] > 0.25 && scheduled[104] < 0.5 && scheduled[110] == 0.5)
  }

  @Test("mono stays mono; with a stereo effect it is on both sides; silence is told")
  func formats() throws {
    let mono = ConstantSource(0.5, format: .mono(48000))
    let engine = try engine(CompressorNode(), from: mono.node)
    #expect(engine.formats(of: node)?.outputs == [.mono(48000)])
    let dry = DryWetNode(mix: 0, sampleRate: 48000)
    let wide = try self.engine(ReverbNode(), from: ConstantSource(0.5, format: .mono(48000)).node, to: dry)
    #expect(wide.formats(of: dry)?.outputs == [.stereo(48000)])
    #expect(wide.render(64)[1].allSatisfy { $0 == 0.5 })
    let silent = try self.engine(CompressorNode(), from: silentSource, to: DryWetNode(sampleRate: 48000))
    #expect(silent.render(64).joined().allSatisfy { $0 == 0 })
  }

  @Test("an effect at another rate is converted and aligned")
  func rates() throws {
    node.mix.value = 50
    let source = SineSource(format: .stereo(48000))
    let engine = try engine(ConverterNode(sampleRate: 44100), from: source.node)
    _ = engine.render(4800)
    let samples = withExtendedLifetime(source) { engine.render(4800)[0] }
    // Out of step by a frame, 1 kHz would be 0.2 % lower; by half a period nothing would be left.
    #expect(abs((samples.map(abs).max() ?? 0) - 1) < 0.005)
  }
}
