import AudioGraph
@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("Parametric equalizer")
struct ParametricEqualizerTests {
  let node: ParametricEqualizerNode
  private var band: ParametricEqualizerNode.Band { node.bands[0] }

  init() throws { node = try ParametricEqualizerNode(bandCount: 3) }

  /// 1 at frame 0; else 0.
  private func impulse() -> SourceNode {
    SourceNode(format: .mono(48000)) { request in
      request.buffers.silence()
      guard request.sampleTime == 0 else { return }
      request.buffers.isSilent = false
      request.buffers[0][0] = 1
    }
  }

  // source ─► equalizer ─► output
  private func engine(_ source: SourceNode) throws -> AudioEngine {
    let channels = source.format.channelCount
    return try AudioEngine.chain(source, node, output: try OutputNode(channelCount: channels, sourceCount: channels))
  }

  /// The level of an impulse response at a frequency.
  private func level(_ samples: [Float], _ frequency: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in samples.enumerated() where sample != 0 {
      real += Double(sample) * cos(2 * .pi * frequency / 48000 * Double(frame))
      imaginary += Double(sample) * sin(2 * .pi * frequency / 48000 * Double(frame))
    }
    return 10 * log10(real * real + imaginary * imaginary)
  }

  @Test(
    "each shape has the response of the cookbook's formulas",
    arguments: ParametricShape.allCases, [(50, 0.7, 12), (1000, 4, -24), (18_000, 2, 24)] as [(Float, Float, Float)])
  func cookbook(shape: ParametricShape, setting: (frequency: Float, quality: Float, gain: Float)) throws {
    band.shape = shape
    band.frequency.value = setting.frequency
    band.quality.value = setting.quality
    band.gain.value = setting.gain
    let samples = try engine(impulse()).render(48_000, channels: 1)[0]
    let formula = Cookbook(
      shape, frequency: Double(setting.frequency) / 48000, quality: Double(setting.quality), gain: Double(setting.gain))
    for frequency in [10, 40, 55, 200, 900, 1100, 4000, 12_000, 17_500, 20_000.0] {
      let expected = formula.level(frequency / 48000)
      // Below that, the samples of a response have no more digits.
      guard expected > -80 else { continue }
      #expect(abs(level(samples, frequency) - expected) < 0.01, "\(frequency) Hz")
    }
  }

  @Test("and far below Nyquist that of the analogue prototype", arguments: ParametricShape.allCases)
  func prototype(shape: ParametricShape) throws {
    band.shape = shape
    band.frequency.value = 400
    band.quality.value = 2
    band.gain.value = 12
    let samples = try engine(impulse()).render(48_000, channels: 1)[0]
    for frequency in [50, 200, 350, 500, 800, 1600.0] {
      let expected = Prototype(shape, quality: 2, gain: 12).level(frequency / 400)
      #expect(abs(level(samples, frequency) - expected) < 0.1, "\(frequency) Hz")
    }
  }

  @Test("bands are in series: their decibels add up")
  func series() throws {
    for band in node.bands {
      band.frequency.value = 1000
      band.gain.value = 5
    }
    #expect(abs(level(try engine(impulse()).render(9600, channels: 1)[0], 1000) - 15) < 0.001)
  }

  @Test("an octave wide is a Q of 1.414, with half of the decibels at the edges")
  func bandwidth() throws {
    #expect(abs(ParametricEqualizerNode.quality(bandwidth: 1) - 1.41421) < 1e-5)
    band.frequency.value = 1000
    band.quality.value = ParametricEqualizerNode.quality(bandwidth: 1)
    band.gain.value = 12
    let samples = try engine(impulse()).render(9600, channels: 1)[0]
    for frequency in [1000 / 2.0.squareRoot(), 1000 * 2.0.squareRoot()] {
      #expect(abs(level(samples, frequency) - 6) < 0.1)
    }
  }

  @Test("flat or bypassed it passes every channel bit for bit", arguments: [1, 2, 3, 8])
  func transparent(channels: Int) throws {
    band.gain.value = 12
    band.isBypassed.value = 1
    let source = ConstantSource(0.1, format: AudioFormat(sampleRate: 48000, channelCount: channels))
    let samples = try engine(source.node).render(500, channels: channels)
    #expect(samples == (0..<channels).map { [Float](repeating: 0.1 + Float($0), count: 500) })
  }

  @Test("all channels get the same filter", arguments: [2, 3])
  func channels(count: Int) throws {
    band.shape = .lowPass
    let mono = try engine(ConstantSource(1, format: .mono(48000)).node).render(500, channels: 1)[0]
    let source = ConstantSource(1, format: AudioFormat(sampleRate: 48000, channelCount: count))
    let samples = try engine(source.node).render(500, channels: count)
    for (channel, samples) in samples.enumerated() {
      for (one, several) in zip(mono, samples) { #expect(abs(one * Float(channel + 1) - several) < 1e-5) }
    }
  }

  @Test("a gain or a bypass that is set at once moves without a step, also after a rest", arguments: [0, 1])
  func gainStep(which: Int) throws {
    band.shape = .lowShelf
    band.gain.value = which == 0 ? 0 : 20
    band.isBypassed.value = which == 0 ? 0 : 1
    let source = SourceNode(format: .mono(48000)) { request in
      guard !(1280..<1920).contains(request.sampleTime) else { return request.buffers.silence() }
      request.buffers[0].update(repeating: 1, count: request.frameCount)
    }
    let engine = try engine(source)
    #expect(engine.render(4800, channels: 1)[0][4799] == 1)
    if which == 0 { band.gain.value = 20 } else { band.isBypassed.value = 0 }
    let samples = engine.render(9600, channels: 1)[0]
    // 20 dB are a factor of 10: nine in 960 frames are 0.0094 each.
    #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($0 - $1) < 0.0094 * 2 })
    #expect(abs(samples[9599] - 10) < 1e-3)
  }

  @Test("a swept filter neither clicks nor rings up", arguments: [ParametricShape.lowPass, .peak, .notch])
  func sweep(shape: ParametricShape) throws {
    band.shape = shape
    band.quality.value = 4
    band.gain.value = 12
    band.frequency.value = 200
    let source = SineSource(format: .mono(48000))
    try withExtendedLifetime(source) {
      let engine = try engine(source.node)
      _ = engine.render(4800, channels: 1)
      var samples: [Float] = []
      for step in 0..<100 {
        band.frequency.value = step.isMultiple(of: 2) ? 12_000 : 200
        samples += engine.render(step < 50 ? 64 : 960, channels: 1)[0]
      }
      // A sine of 1 kHz at four times its level, 12 dB, has steps of 0.52.
      let largest = zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
      #expect(largest < 0.131 * 4 && largest > 0.1)
      #expect(samples.allSatisfy { abs($0) < 4.1 })
    }
  }

  @Test("it rings out, and then is silent for what hears it")
  func rest() throws {
    band.quality.value = 40
    band.gain.value = 24
    let calls = Calls()
    let watch = EffectNode(tail: 0) { calls.note($0) }
    let engine = try AudioEngine.chain(
      impulse(), node, watch, output: try OutputNode(channelCount: 1, sourceCount: 1))
    let samples = engine.render(96_000, channels: 1)[0]
    #expect(samples[2000..<2100].contains { abs($0) > 0.001 })
    #expect(calls.all.count > 100 && calls.all.count < 1400)
  }

  @Test("what is no number does not stay in it")
  func notANumber() throws {
    band.gain.value = 6
    let source = SourceNode(format: .mono(48000)) { request in
      request.buffers[0].update(repeating: request.sampleTime == 64 ? .nan : 0.5, count: 64)
    }
    #expect(try engine(source).render(1000, channels: 1)[0].allSatisfy(\.isFinite))
  }

  @Test("the registry makes one of so many bands, and a number that is out of range is refused in a line")
  func made() throws {
    let component = try ComponentRegistry(Component.audioGraph).component(named: "parametric equalizer")
    let made = try component.make(["band count": 7])
    #expect(made.parameters.count == 35)
    #expect(try made.parameter(named: "band 6 type").description == "band 6 type peak")
    let error = #expect(throws: ParametricEqualizerError.self) { try ParametricEqualizerNode(bandCount: 65) }
    #expect("\(error!)" == "making a parametric equalizer of 65 bands: out of range; choose 1 to 64")
  }
}

/// R. Bristow-Johnson's formulas, as he wrote them.
private struct Cookbook {
  private var b = (0.0, 0.0, 0.0)
  private var a = (0.0, 0.0, 0.0)

  init(_ shape: ParametricShape, frequency: Double, quality: Double, gain: Double) {
    let (amplitude, omega) = (pow(10, gain / 40), 2 * .pi * frequency)
    let (cosine, alpha) = (cos(omega), sin(omega) / (2 * quality))
    let (plus, minus, root) = (amplitude + 1, amplitude - 1, 2 * amplitude.squareRoot() * alpha)
    a = (1 + alpha, -2 * cosine, 1 - alpha)
    switch shape {
    case .peak:
      b = (1 + alpha * amplitude, -2 * cosine, 1 - alpha * amplitude)
      a = (1 + alpha / amplitude, -2 * cosine, 1 - alpha / amplitude)
    case .lowShelf:
      b = (
        amplitude * (plus - minus * cosine + root), 2 * amplitude * (minus - plus * cosine),
        amplitude * (plus - minus * cosine - root)
      )
      a = (plus + minus * cosine + root, -2 * (minus + plus * cosine), plus + minus * cosine - root)
    case .highShelf:
      b = (
        amplitude * (plus + minus * cosine + root), -2 * amplitude * (minus + plus * cosine),
        amplitude * (plus + minus * cosine - root)
      )
      a = (plus - minus * cosine + root, 2 * (minus - plus * cosine), plus - minus * cosine - root)
    case .lowPass: b = ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)
    case .highPass: b = ((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2)
    case .bandPass: b = (alpha, 0, -alpha)
    case .notch: b = (1, -2 * cosine, 1)
    }
  }

  /// In decibels, at a part of the sample rate.
  func level(_ frequency: Double) -> Double {
    func power(_ c: (Double, Double, Double)) -> Double {
      let (once, twice) = (2 * .pi * frequency, 4 * .pi * frequency)
      let real = c.0 + c.1 * cos(once) + c.2 * cos(twice)
      let imaginary = c.1 * sin(once) + c.2 * sin(twice)
      return real * real + imaginary * imaginary
    }
    return 10 * log10(power(b) / power(a))
  }
}

/// The analogue filters that the cookbook begins with: numerator and denominator in s, the frequency 1.
private struct Prototype {
  private var numerator = (0.0, 0.0, 0.0)
  private var denominator = (0.0, 0.0, 0.0)

  init(_ shape: ParametricShape, quality: Double, gain: Double) {
    let amplitude = pow(10, gain / 40)
    let root = amplitude.squareRoot() / quality
    denominator = (1, 1 / quality, 1)
    switch shape {
    case .peak:
      numerator = (1, amplitude / quality, 1)
      denominator = (1, 1 / (amplitude * quality), 1)
    case .lowShelf:
      numerator = (amplitude * amplitude, amplitude * root, amplitude)
      denominator = (1, root, amplitude)
    case .highShelf:
      numerator = (amplitude, amplitude * root, amplitude * amplitude)
      denominator = (amplitude, root, 1)
    case .lowPass: numerator = (1, 0, 0)
    case .highPass: numerator = (0, 0, 1)
    case .bandPass: numerator = (0, 1 / quality, 0)
    case .notch: numerator = (1, 0, 1)
    }
  }

  /// In decibels, at a multiple of the frequency.
  func level(_ frequency: Double) -> Double {
    func power(_ c: (Double, Double, Double)) -> Double {
      let real = c.0 - c.2 * frequency * frequency
      let imaginary = c.1 * frequency
      return real * real + imaginary * imaginary
    }
    return 10 * log10(power(numerator) / power(denominator))
  }
}
