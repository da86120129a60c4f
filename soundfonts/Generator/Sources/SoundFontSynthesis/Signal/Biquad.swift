// Second-order filter sections after Robert Bristow-Johnson's Audio EQ Cookbook.
import Glibc

/// A second-order section with coefficients normalised to a0 = 1.
struct Biquad {
  var b0, b1, b2, a1, a2: Double

  static func lowPass(_ frequency: Double, q: Double = 0.707, rate: Double) -> Biquad {
    let (cosine, alpha) = angle(frequency, q, rate)
    let edge = (1 - cosine) / 2
    return normalised(edge, 1 - cosine, edge, 1 + alpha, -2 * cosine, 1 - alpha)
  }

  static func highPass(_ frequency: Double, q: Double = 0.707, rate: Double) -> Biquad {
    let (cosine, alpha) = angle(frequency, q, rate)
    let edge = (1 + cosine) / 2
    return normalised(edge, -1 - cosine, edge, 1 + alpha, -2 * cosine, 1 - alpha)
  }

  /// Band pass with 0 dB at its centre.
  static func bandPass(_ frequency: Double, q: Double, rate: Double) -> Biquad {
    let (cosine, alpha) = angle(frequency, q, rate)
    return normalised(alpha, 0, -alpha, 1 + alpha, -2 * cosine, 1 - alpha)
  }

  static func peak(_ frequency: Double, q: Double, decibels: Double, rate: Double) -> Biquad {
    let (cosine, alpha) = angle(frequency, q, rate)
    let a = pow(10, decibels / 40)
    return normalised(1 + alpha * a, -2 * cosine, 1 - alpha * a, 1 + alpha / a, -2 * cosine, 1 - alpha / a)
  }

  private static func angle(_ frequency: Double, _ q: Double, _ rate: Double) -> (cosine: Double, alpha: Double) {
    let omega = 2 * Double.pi * min(frequency / rate, 0.49)
    return (cos(omega), sin(omega) / (2 * q))
  }

  private static func normalised(
    _ b0: Double, _ b1: Double, _ b2: Double, _ a0: Double, _ a1: Double, _ a2: Double
  ) -> Biquad {
    Biquad(b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0)
  }
}

extension [Double] {
  /// The signal through a filter at rest (transposed direct form II).
  func filtered(_ filter: Biquad) -> [Double] {
    var s1 = 0.0
    var s2 = 0.0
    return map { x in
      let y = filter.b0 * x + s1
      s1 = filter.b1 * x - filter.a1 * y + s2
      s2 = filter.b2 * x - filter.a2 * y
      return y
    }
  }

  /// One period of the signal, repeated for ever, through a filter: the result is periodic, too.
  func circularlyFiltered(_ filter: Biquad) -> [Double] {
    Array((self + self).filtered(filter)[count...])
  }

  /// Sum of two signals, as long as the first.
  func mixed(_ other: [Double], gain: Double = 1) -> [Double] {
    var sum = self
    for i in 0..<Swift.min(count, other.count) { sum[i] += gain * other[i] }
    return sum
  }

  var peakLevel: Double { reduce(0) { Swift.max($0, abs($1)) } }
  var rms: Double { isEmpty ? 0 : (reduce(0) { $0 + $1 * $1 } / Double(count)).squareRoot() }
}
