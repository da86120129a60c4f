import Glibc
import SynthDSP
import Testing

@Suite("What a sinc leaves of images and aliases is 90 dB below the sound, up to an octave and a half")
struct SincImageTests {
  /// Frequencies are parts of the lower of both rates.
  @Test(
    "of frequencies that the number of points allows",
    arguments: [(Interpolation.sinc8, 0.15), (.sinc12, 0.25), (.sinc16, 0.31)])
  func images(_ interpolation: Interpolation, _ clean: Double) {
    let interpolator = Interpolator(interpolation)
    var line = "\(interpolation):"
    for semitones in [-12, -5, 0, 1, 3, 6, 7, 12, 15, 18] {
      let ratio = exp2(Double(semitones) / 12)
      let unit = max(1, ratio)
      let worst =
        stride(from: 0.02, through: clean, by: 0.0173)
        .map { disturbance(at: $0 / unit, ratio, interpolator) }.max() ?? 0
      line += " \(semitones): \(Int(worst.rounded())) dB"
      #expect(worst < -90)
      // What is that far beyond half the rate comes back nowhere.
      guard ratio > 1 else { continue }
      let alias =
        stride(from: 1.07 * (1 - clean), to: ratio / 2, by: 0.0371)
        .map { disturbance(at: $0 / unit, ratio, interpolator) }.max() ?? -200
      line += " (\(Int(alias.rounded())))"
      #expect(alias < -90)
    }
    print(line)
  }

  /// What is heard beside a sine, in decibels below it.
  ///
  /// - Parameter frequency: as a part of the wave's rate; beyond half the output's rate nothing should be heard.
  private func disturbance(at frequency: Double, _ ratio: Double, _ interpolator: Interpolator) -> Double {
    let count = 12_000
    let words = UnsafeMutablePointer<Int16>.allocate(capacity: count)
    let lowBytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    defer {
      words.deallocate()
      lowBytes.deallocate()
    }
    for index in 0..<count {
      let sample = Int((sin(2 * .pi * frequency * Double(index)) * 8_000_000).rounded())
      words[index] = Int16(sample >> 8)
      lowBytes[index] = UInt8(sample & 255)
    }
    let wave = SampledWave(words: words, lowBytes: lowBytes, start: 0, end: count)
    let increment = WaveReader.increment(ratio)
    let output = frames(of: wave, increment, loopedFrames: 0, 4000, interpolator)
      .dropFirst(100).prefix(3000).map { Double($0) * 8_388_608 / 8_000_000 }
    let rate = frequency * Double(increment) / 4_294_967_296
    let rest = rate < 0.5 ? residue(output, 2 * .pi * rate) : output
    return 10 * log10(rest.map { $0 * $0 }.reduce(0, +) / Double(rest.count) * 2 + 1e-30)
  }

  /// Without its sine of a frequency: least squares.
  private func residue(_ samples: [Double], _ step: Double) -> [Double] {
    var (cc, cs, ss, xc, xs) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let (c, s) = (cos(step * Double(index)), sin(step * Double(index)))
      (cc, cs, ss, xc, xs) = (cc + c * c, cs + c * s, ss + s * s, xc + sample * c, xs + sample * s)
    }
    let determinant = cc * ss - cs * cs
    let (a, b) = ((xc * ss - xs * cs) / determinant, (xs * cc - xc * cs) / determinant)
    return samples.enumerated().map { index, sample in
      sample - a * cos(step * Double(index)) - b * sin(step * Double(index))
    }
  }
}
