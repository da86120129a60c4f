import Glibc

/// The power of a signal by frequency, in bins of the sample rate over twice their number.
struct Spectrum {
  let power: [Double]
  private let binWidth: Double

  /// - Parameter signal: as many samples as a power of two; what is missing is silence.
  init(_ signal: some Collection<Float>, count: Int, sampleRate: Double) {
    var real = signal.prefix(count).map(Double.init)
    real += [Double](repeating: 0, count: count - real.count)
    var imaginary = [Double](repeating: 0, count: count)
    Self.transform(&real, &imaginary)
    power = (0..<count / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
    binWidth = sampleRate / Double(count)
  }

  /// The bins of a band around a frequency, so many octaves wide.
  func bins(around centre: Double, octaves: Double) -> ArraySlice<Double> {
    let low = Int(centre * pow(2, -octaves / 2) / binWidth)
    let high = Int(centre * pow(2, octaves / 2) / binWidth)
    return power[max(1, low)...max(1, min(high, power.count - 1))]
  }

  /// The mean power of a band, in decibels.
  func level(around centre: Double, octaves: Double) -> Double {
    let bins = bins(around: centre, octaves: octaves)
    return 10 * log10(bins.reduce(0, +) / Double(bins.count))
  }

  /// Cooley and Tukey's, in place.
  private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    let count = real.count
    var reversed = 0
    for index in 1..<count {
      var bit = count >> 1
      while reversed & bit != 0 {
        reversed ^= bit
        bit >>= 1
      }
      reversed |= bit
      if index < reversed {
        real.swapAt(index, reversed)
        imaginary.swapAt(index, reversed)
      }
    }
    var half = 1
    while half < count {
      for turn in 0..<half {
        let angle = -Double.pi * Double(turn) / Double(half)
        let (c, s) = (cos(angle), sin(angle))
        for a in stride(from: turn, to: count, by: 2 * half) {
          let b = a + half
          let (x, y) = (real[b] * c - imaginary[b] * s, real[b] * s + imaginary[b] * c)
          (real[b], imaginary[b]) = (real[a] - x, imaginary[a] - y)
          (real[a], imaginary[a]) = (real[a] + x, imaginary[a] + y)
        }
      }
      half *= 2
    }
  }
}
