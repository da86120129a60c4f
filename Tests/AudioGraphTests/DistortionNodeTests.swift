import AudioGraph
@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("Distortion node")
struct DistortionNodeTests {
  let node = DistortionNode()

  /// A sine of a whole number of kilohertz at 48 kHz, at full scale.
  private func sine(kilohertz: Double) -> SourceNode {
    SourceNode(format: .mono(48000)) { request in
      for frame in 0..<request.frameCount {
        let place = Double((request.sampleTime + Int64(frame)) % 48)
        request.buffers[0][frame] = Float(sin(2 * .pi * kilohertz * place / 48))
      }
    }
  }

  // source ─► distortion ─► output
  private func engine(_ source: SourceNode) throws -> AudioEngine {
    let channels = source.format.channelCount
    return try AudioEngine.chain(source, node, output: try OutputNode(channelCount: channels, sourceCount: channels))
  }

  /// The amplitudes of 0 to 23 kHz in steps of 1 kHz.
  private func spectrum(_ samples: ArraySlice<Float>) -> [Double] {
    (0..<24).map { kilohertz in
      var (real, imaginary) = (0.0, 0.0)
      for (frame, sample) in samples.enumerated() {
        let angle = 2 * .pi * Double(kilohertz * (frame % 48)) / 48
        real += Double(sample) * cos(angle)
        imaginary += Double(sample) * sin(angle)
      }
      return 2 * hypot(real, imaginary) / Double(samples.count)
    }
  }

  @Test(
    "the aliases of a sine of 5 kHz are below -80 dB",
    arguments: [(.soft, 20), (.hard, 12), (.fold, 6)] as [(WaveShape, Float)])
  func aliases(shape: WaveShape, drive: Float) throws {
    node.shape = shape
    node.preGain.value = drive
    let amplitudes = spectrum(try engine(sine(kilohertz: 5)).render(960, channels: 1)[0][480...])
    let worst = (1..<24).filter { !$0.isMultiple(of: 5) }.map { amplitudes[$0] }.max() ?? 1
    let level = Decibels(amplitude: worst / amplitudes[5])
    #expect(level < -80, "\(level)")
    // The third harmonic, on the other hand, is what the node is for.
    #expect(amplitudes[15] / amplitudes[5] > 0.1)
  }

  @Test("a constant comes out as the curve has it", arguments: [-40, 3, 33] as [Float])
  func curves(drive: Float) throws {
    node.preGain.value = drive
    let x = pow(10, Double(drive) / 20)
    let folded = asin(sin(.pi / 2 * x)) * 2 / .pi
    for (shape, expected) in [(.soft, tanh(x)), (.hard, min(x, 1)), (.fold, folded)] as [(WaveShape, Double)] {
      node.shape = shape
      let samples = try engine(ConstantSource(1, format: .mono(48000)).node).render(192, channels: 1)[0]
      #expect(abs(Double(samples[191]) - expected) < 1e-4, "\(shape)")
    }
  }

  @Test("the harmonics of hard clipping are those of Fourier's series")
  func harmonics() throws {
    node.shape = .hard
    node.preGain.value = 20
    let amplitudes = spectrum(try engine(sine(kilohertz: 1)).render(960, channels: 1)[0][480...])
    // A sine of 10 cut off at 1 is a trapezium but for the sine's own curve; its integral by the rectangle rule.
    for harmonic in [1, 2, 3, 5, 11, 19] {
      let count = 10_000
      let sum = (0..<count).reduce(0.0) { sum, step in
        let angle = 2 * .pi * (Double(step) + 0.5) / Double(count)
        return sum + min(max(-1, 10 * sin(angle)), 1) * sin(Double(harmonic) * angle)
      }
      #expect(abs(amplitudes[harmonic] - abs(sum) * 2 / Double(count)) < 2e-3, "\(harmonic)")
    }
  }

  @Test("a quiet sine passes, and dry and wet are late by the latency alike", arguments: [0, 50, 100] as [Float])
  func latency(mix: Float) throws {
    node.preGain.value = 0
    node.shape = .hard
    node.mix.value = mix
    let source = SineSource(format: .stereo(48000))
    try withExtendedLifetime(source) {
      let engine = try engine(source.node)
      #expect(engine.latency == DistortionNode.latency)
      let samples = engine.render(640)
      for frame in 128..<640 {
        let expected = SineSource.value(at: Double(frame - DistortionNode.latency) / 48000)
        #expect(abs(samples[0][frame] - expected) < 2e-3)
        #expect(abs(samples[1][frame] - expected / 2) < 1e-3)
      }
    }
  }

  @Test("up to 18 kHz it is level within 0.2 dB where nothing is bent", arguments: WaveShape.allCases, [1, 18])
  func response(shape: WaveShape, kilohertz: Int) throws {
    node.shape = shape
    node.preGain.value = -40
    let samples = try engine(sine(kilohertz: Double(kilohertz))).render(960, channels: 1)[0][480...]
    #expect(abs(Decibels(amplitude: 100 * spectrum(samples)[kilohertz]).value) < 0.2)
  }

  @Test("the mix is scheduled to the frame", arguments: [1, 64, 1000])
  func scheduled(sliceSize: Int) throws {
    node.mix.value = 0
    node.preGain.value = -40
    let engine = try engine(ConstantSource(1, format: .mono(48000)).node)
    try engine.schedule(node.mix, to: 100, at: 300, over: 100)
    let samples = engine.render(500, channels: 1, sliceSize: sliceSize)[0]
    for frame in 128..<500 {
      let share = Float(min(max(0, frame - 299), 100)) / 100
      #expect(abs(samples[frame] - (1 - share) - share * 0.01) < 1e-5, "frame \(frame)")
    }
  }

  @Test("a new curve comes without a click")
  func change() throws {
    node.preGain.value = 12
    let engine = try engine(sine(kilohertz: 1))
    _ = engine.render(960, channels: 1)
    node.shape = .hard
    let samples = engine.render(960, channels: 1)[0]
    // Hard clipping at four times the level has steps of 4 × 0.131, its filter adds some overshoot.
    #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($0 - $1) < 0.6 })
  }

  @Test("after its tail it is silent for what hears it")
  func rest() throws {
    let calls = Calls()
    let source = SourceNode(format: .mono(48000)) { request in
      guard request.sampleTime == 0 else { return request.buffers.silence() }
      request.buffers[0].update(repeating: 1, count: request.frameCount)
    }
    let watch = EffectNode(tail: 0) { calls.note($0) }
    let engine = try AudioEngine.chain(
      source, node, watch, output: try OutputNode(channelCount: 1, sourceCount: 1))
    let samples = engine.render(640, channels: 1)[0]
    #expect(samples[60..<100].contains { $0 > 0.9 } && samples[192...].allSatisfy { $0 == 0 })
    #expect(calls.all.count == 3)
  }
}
