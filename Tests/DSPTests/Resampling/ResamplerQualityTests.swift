@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("The quality of resampling")
struct ResamplerQualityTests {
  private static let steps = [44100.0 / 48000, 48000.0 / 44100, 96000.0 / 44100, 6, 1.0002, 0.9998, 1]

  /// Frames until a resampler knows nothing but the tone.
  private static let start = 300

  @Test(
    "leaves a tone below 0.95 of the lower rate as it is within 0.01 dB, all else below -140 dB",
    arguments: steps, [0.01, 0.31, 0.75, 0.9, 0.95])
  func tones(step: Double, part: Double) throws {
    let frequency = part / max(1, step)
    let input = tone(frequency, count: Int(2400 * step) + 2000)
    let output = try resample(input, StreamResampler(channelCount: 1, step: step), count: 2200) { _ in step }
    let fit = SineFit(output[Self.start...], at: { Double($0) * step }, frequency: frequency)
    #expect(abs(20 * log10(fit.amplitude)) < 0.01)
    #expect(fit.rest < -140)
  }

  @Test("lets nothing above 1.05 of the lower rate through", arguments: steps.filter { $0 > 1.1 }, [1.05, 1.2, 1.9])
  func aliases(step: Double, part: Double) throws {
    let frequency = part / step
    let input = tone(frequency, count: Int(1600 * step) + 2000)
    let output = try resample(input, StreamResampler(channelCount: 1, step: step), count: 1400) { _ in step }
    let power = output[Self.start...].reduce(0.0) { $0 + Double($1) * Double($1) } / Double(1400 - Self.start)
    // Of the tone's.
    #expect(10 * log10(power / 0.5) < -140)
  }

  @Test("does the same where the step is not known before", arguments: [0.3, 1.01, 2, 3.7, 17], [0.31, 0.95])
  func unknownSteps(step: Double, part: Double) throws {
    let frequency = part / max(1, step)
    let input = tone(frequency, count: Int(1000 * step) + 4000)
    let output = try resample(input, StreamResampler(channelCount: 1), count: 900) { _ in step }
    let fit = SineFit(output[Self.start...], at: { Double($0) * step }, frequency: frequency)
    #expect(abs(20 * log10(fit.amplitude)) < 0.01)
    #expect(fit.rest < -140)
  }

  @Test("goes on without a jump where the step changes, from a tabulated one too", arguments: [0.9, 0.3])
  func steering(frequency: Double) throws {
    // Five blocks of the rate's own step, then up and down by 200 ppm.
    func step(_ frame: Int) -> Double {
      let block = frame / 64
      return 147.0 / 160 * (1 + (block < 5 ? 0 : 200e-6 * sin(Double(block) / 7)))
    }
    let resampler = try StreamResampler(channelCount: 1, step: 147.0 / 160)
    let output = try resample(tone(frequency, count: 6000), resampler, count: 6000, step: step)
    try expectTone(output, frequency, step)
  }

  @Test("follows a step that grows to four times")
  func ramps() throws {
    func step(_ frame: Int) -> Double { 0.5 * exp2(Double(frame / 64) / 16) }
    let output = try resample(tone(0.2, count: 4000), StreamResampler(channelCount: 1), count: 2048, step: step)
    try expectTone(output, 0.2, step)
  }

  private func expectTone(_ output: [Float], _ frequency: Double, _ step: (Int) -> Double) throws {
    var positions = [0.0]
    for frame in 1..<output.count { positions.append(positions[frame - 1] + step(frame - 1)) }
    let fit = SineFit(output[Self.start...], at: { positions[$0] }, frequency: frequency)
    #expect(abs(20 * log10(fit.amplitude)) < 0.01)
    #expect(fit.rest < -140)
  }

  /// Kaiser's window has a transform in closed form; the filter's is it, added up over what the sinc lets through.
  private static func claimedGain(at frequency: Double) -> Double {
    let (cutoff, halfWidth, shape) = (0.995, 88.0, 15.0)
    func window(_ frequency: Double) -> Double {
      let square = shape * shape - (.pi * halfWidth * frequency) * (.pi * halfWidth * frequency)
      let root = abs(square).squareRoot()
      return halfWidth / i0(shape) * (square > 0 ? sinh(root) / root : sin(root) / root)
    }
    func i0(_ x: Double) -> Double {
      var (sum, term) = (1.0, 1.0)
      for k in 1...60 {
        term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
        sum += term
      }
      return sum
    }
    // Simpson's rule.
    let count = 4000
    let width = 2 * cutoff / Double(count)
    return (0...count).reduce(0) { sum, index in
      let share = index == 0 || index == count ? 1.0 : index % 2 == 0 ? 2 : 4
      return sum + share * width / 3 * window(frequency - cutoff + Double(index) * width)
    }
  }

  @Test("has the response that the formula claims")
  func response() throws {
    // An impulse, read eight times as finely.
    let input = [Float](repeating: 0, count: 100) + [1] + [Float](repeating: 0, count: 200)
    let output = try resample(input, StreamResampler(channelCount: 1, step: 0.125), count: 1600) { _ in 0.125 }
    for hundredth in stride(from: 0, to: 400, by: 7) {
      let frequency = Double(hundredth) / 100
      let gain = output.enumerated().reduce(0.0) { sum, sample in
        sum + Double(sample.element) * cos(.pi * frequency * (Double(sample.offset) / 8 - 100)) / 8
      }
      #expect(abs(gain - Self.claimedGain(at: frequency)) < 1e-7, "at \(frequency)")
    }
    #expect(abs(20 * log10(Self.claimedGain(at: 0.95))) < 0.002)
    #expect(abs(Self.claimedGain(at: 1.05)) < 1e-7)
  }
}
