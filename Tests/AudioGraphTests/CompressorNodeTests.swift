import AudioGraph
@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("Compressor node")
struct CompressorNodeTests {
  let node = CompressorNode()

  /// So many decibels in every channel from frame `start` on, and so many before.
  private func step(_ before: Double, to after: Double, at start: Int64 = 0, channels: Int = 1) -> SourceNode {
    let (low, high) = (Float(Decibels(before).amplitude), Float(Decibels(after).amplitude))
    return SourceNode(format: AudioFormat(sampleRate: 48000, channelCount: channels)) { request in
      for channel in 0..<channels {
        for frame in 0..<request.frameCount {
          request.buffers[channel][frame] = request.sampleTime + Int64(frame) < start ? low : high
        }
      }
    }
  }

  // source ─► compressor ─► output
  private func engine(_ source: SourceNode) throws -> AudioEngine {
    let channels = source.format.channelCount
    return try AudioEngine.chain(source, node, output: try OutputNode(channelCount: channels, sourceCount: channels))
  }

  private func level(_ sample: Float) -> Double { Decibels(amplitude: Double(sample)).value }

  @Test(
    "a level that lasts comes out as the formula has it", arguments: [-60, -35, -26, -22, -20, -17, -14, 0, 12],
    [(4, 0), (4, 12), (1, 6), (100, 6)] as [(Float, Float)])
  func curve(input: Double, setting: (ratio: Float, knee: Float)) throws {
    node.ratio.value = setting.ratio
    node.knee.value = setting.knee
    let (excess, ratio, knee) = (input + 20, Double(setting.ratio), Double(setting.knee))
    // Giannoulis, Massberg and Reiss, equation 4.
    let expected =
      2 * excess < -knee
      ? input
      : 2 * abs(excess) <= knee && knee > 0
        ? input + (1 / ratio - 1) * pow(excess + knee / 2, 2) / (2 * knee) : -20 + excess / ratio
    let samples = try engine(step(-120, to: input)).render(9600, channels: 1)[0]
    #expect(abs(level(samples[9599]) - expected) < 1e-3)
  }

  @Test("after attack and release 63 % of a change are done", arguments: [0.002, 0.05] as [Float])
  func times(time: Float) throws {
    node.knee.value = 0
    node.attack.value = time
    node.release.value = time
    let source = SourceNode(format: .mono(48000)) { request in
      for frame in 0..<request.frameCount {
        let place = request.sampleTime + Int64(frame)
        request.buffers[0][frame] = (4800..<24_000).contains(place) ? 1 : 0.01
      }
    }
    let samples = try engine(source).render(48_000, channels: 1)[0]
    let frames = Int(time * 48000)
    // At 0 dB 15 dB are taken away, at −40 dB none.
    let done = 1 - exp(-1.0)
    #expect(samples[4799] == 0.01)
    #expect(abs(level(samples[4799 + frames]) + 15 * done) < 0.01)
    #expect(abs(level(samples[23_999]) + 15) < 0.01)
    #expect(abs(level(samples[23_999 + frames] / 0.01) + 15 * (1 - done)) < 0.01)
    #expect(samples[47_999] == 0.01)
  }

  @Test("no attack is at once")
  func noAttack() throws {
    node.attack.value = 0
    node.knee.value = 0
    let samples = try engine(step(-40, to: 0, at: 100)).render(200, channels: 1)[0]
    #expect(abs(level(samples[100]) + 15) < 1e-3)
  }

  @Test("what is below the knee passes bit for bit, and nothing is counted", arguments: [1, 2, 5])
  func transparent(channels: Int) throws {
    let samples = try engine(step(-24, to: -24, channels: channels)).render(500, channels: channels)
    #expect(samples.allSatisfy { $0.allSatisfy { $0 == Float(Decibels(-24).amplitude) } })
    #expect(node.meter.limitedFrameCount == 0)
  }

  @Test("all channels are turned down alike, by the loudest")
  func linked() throws {
    let source = SourceNode(format: .stereo(48000)) { request in
      request.buffers[0].update(repeating: 0.01, count: request.frameCount)
      request.buffers[1].update(repeating: -1, count: request.frameCount)
    }
    let samples = try engine(source).render(9600)
    #expect(abs(level(samples[0][9599] / 0.01) + 15) < 1e-3 && abs(level(samples[1][9599]) + 15) < 1e-3)
  }

  @Test("by RMS a sine counts 3 dB less than its peak")
  func rms() throws {
    node.detector.value = 1
    node.knee.value = 0
    node.attack.value = 0.05
    node.release.value = 0.05
    let source = SineSource(format: .mono(48000))
    try withExtendedLifetime(source) {
      let samples = try engine(source.node).render(48_000, channels: 1)[0][43_200...]
      let peak = samples.reduce(0) { max($0, abs($1)) }
      // A full-scale sine is 17 dB above the threshold: three quarters of that are taken away.
      #expect(abs(level(peak) + 0.75 * (20 - 3.0103)) < 0.05)
    }
  }

  @Test("the meter tells the most that was taken away since it was read")
  func meter() throws {
    node.makeUpGain.value = 15
    let engine = try engine(step(-120, to: 0))
    let samples = engine.render(9600, channels: 1)[0]
    #expect(abs(node.meter.takeReduction().value - 15) < 1e-3 && node.meter.takeReduction() == 0)
    #expect(node.meter.limitedFrameCount == 9600)
    #expect(abs(level(samples[9599])) < 1e-3)
  }

  @Test("make-up gain is scheduled to the frame, whatever the slices' sizes", arguments: [1, 64, 1000])
  func scheduled(sliceSize: Int) throws {
    node.ratio.value = 1
    let engine = try engine(ConstantSource(1, format: .mono(48000)).node)
    try engine.schedule(node.makeUpGain, to: 20, at: 1000, over: 90)
    let samples = engine.render(2000, channels: 1, sliceSize: sliceSize)[0]
    for frame in 0..<2000 {
      #expect(abs(samples[frame] - 1 - Float(min(max(0, frame - 999), 90)) / 10) < 1e-5, "frame \(frame)")
    }
  }

  @Test("it recovers in silence, of which it makes nothing else, and from what is no number")
  func silence() throws {
    let calls = Calls()
    let watch = EffectNode(tail: 0) { calls.note($0) }
    let source = SourceNode(format: .mono(48000)) { request in
      switch request.sampleTime {
      case ..<4800: request.buffers[0].update(repeating: 1, count: request.frameCount)
      case ..<4900: request.buffers[0].update(repeating: .nan, count: request.frameCount)
      case ..<96_000: request.buffers.silence()
      default: request.buffers[0].update(repeating: 0.03, count: request.frameCount)
      }
    }
    let engine = try AudioEngine.chain(
      source, node, watch, output: try OutputNode(channelCount: 1, sourceCount: 1))
    let samples = engine.render(96_064, channels: 1)[0]
    #expect(samples[96_000...].allSatisfy { $0 == 0.03 })
    #expect(calls.all.count == 77 + 1)
  }
}
