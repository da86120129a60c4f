import Glibc
import SynthDSP
import Testing

@Suite("Band-limited waveforms have the spectrum of their spline")
struct OscillatorBankTests {
  /// Samples of the analysis; a whole number of periods fits in, so harmonics fall on single frequencies.
  private static let count = 2048

  private static let cosines = (0..<count).map { cos(2 * .pi * Double($0) / Double(count)) }

  /// Periods in `count` samples: odd, so that what is aliased falls between the harmonics. 35 is 820 Hz at 48 kHz.
  static let periods = [3, 11, 35, 101, 205]

  @Test("each harmonic is as strong as the waveform's, by the spline's sinc⁴", arguments: periods)
  func harmonics(_ periods: Int) {
    for wave in [OscillatorBank.Wave.saw, .pulse, .triangle] {
      let samples = render(wave, periods)
      for harmonic in 1...20 where harmonic * periods < Self.count / 3 {
        let expected = amplitude(wave, harmonic, periods)
        let measured = 2 * bin(samples, harmonic * periods)
        #expect(abs(measured - expected) < 2e-5, "\(wave), harmonic \(harmonic) of \(periods)")
      }
    }
  }

  @Test("what is aliased has the power the formula gives it, and is printed", arguments: periods)
  func aliasing(_ periods: Int) {
    for wave in [OscillatorBank.Wave.saw, .pulse, .triangle] {
      let samples = render(wave, periods)
      var rest = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
      let total = rest
      for harmonic in 1...Self.count where harmonic * periods < Self.count / 2 {
        let amplitude = 2 * bin(samples, harmonic * periods)
        rest -= amplitude * amplitude / 2
      }
      var expected = 0.0
      for harmonic in 1...20_000 where harmonic * periods > Self.count / 2 {
        let amplitude = amplitude(wave, harmonic, periods)
        expected += amplitude * amplitude / 2
      }
      let audible = (1...Self.count / 3).filter { !$0.isMultiple(of: periods) }.reduce(0) {
        let amplitude = 2 * bin(samples, $1)
        return $0 + amplitude * amplitude / 2
      }
      let level = 10 * log10(max(rest, 1e-14) / total)
      let formula = 10 * log10(max(expected, 1e-14) / total)
      let frequency = Int(Double(periods) / Double(Self.count) * 48000)
      print(
        "aliasing of \(wave) at \(frequency) Hz: \(tenth(level)) dB, by the formula \(tenth(formula)) dB; below 16 kHz "
          + "\(tenth(10 * log10(max(audible, 1e-14) / total))) dB")
      // Where there is next to none, the rounding of numbers is what is heard.
      #expect(abs(level - formula) < 1 || (level < -90 && formula < -90))
    }
  }

  @Test("a sine has no harmonics")
  func sine() {
    let samples = render(.sine, 35)
    #expect(abs(2 * bin(samples, 35) - 1) < 1e-5)
    for harmonic in 2...10 { #expect(2 * bin(samples, 35 * harmonic) < 1e-5) }
  }

  /// The amplitude of a harmonic: the ideal waveform's times the spline's spectrum.
  private func amplitude(_ wave: OscillatorBank.Wave, _ harmonic: Int, _ periods: Int) -> Double {
    let number = Double(harmonic)
    let x = Double.pi * number * Double(periods) / Double(Self.count)
    let spline = pow(sin(x) / x, 4)
    return switch wave {
    case .saw: 2 / (.pi * number) * abs(spline)
    case .pulse: harmonic.isMultiple(of: 2) ? 0 : 4 / (.pi * number) * abs(spline)
    case .triangle: harmonic.isMultiple(of: 2) ? 0 : 8 / (.pi * .pi * number * number) * abs(spline)
    case .sine: harmonic == 1 ? 1 : 0
    }
  }

  /// `count` samples of one lane; the phase is exact, since 2048 divides 2³².
  private func render(_ wave: OscillatorBank.Wave, _ periods: Int) -> [Double] {
    var bank = OscillatorBank()
    var samples: [Double] = []
    let memory = UnsafeMutablePointer<SIMD8<Float>>.allocate(capacity: 64)
    defer { memory.deallocate() }
    let frequency = SIMD8<Float>(repeating: Float(periods) / Float(Self.count))
    while samples.count < Self.count {
      memory.initialize(repeating: SIMD8(repeating: 0), count: 64)
      bank.render(wave, level: 1, width: 1 << 31, frequency: frequency, into: memory, count: 64)
      samples += (0..<64).map { Double(memory[$0][3]) }
    }
    return samples
  }

  /// The magnitude of a line of the spectrum.
  private func bin(_ samples: [Double], _ index: Int) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    samples.withUnsafeBufferPointer { samples in
      for n in 0..<Self.count {
        real += samples[n] * Self.cosines[index &* n & (Self.count &- 1)]
        imaginary += samples[n] * Self.cosines[(index &* n &+ Self.count / 4) & (Self.count &- 1)]
      }
    }
    return (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
  }
}

func tenth(_ value: Double) -> Double { (value * 10).rounded() / 10 }
