@preconcurrency import Glibc

/// One second-order filter, gain · (1 + b1 z⁻¹ + b2 z⁻²) / (1 + a1 z⁻¹ + a2 z⁻²), in double precision.
///
/// The leading numerator coefficient is taken out as `gain`, so that a cascade multiplies once for all its sections
/// and an identity section is exact.
public struct BiquadSection: Sendable, Hashable {
  /// The factor before the filter.
  public var gain = 1.0
  /// The numerator after the factor.
  public var b1 = 0.0, b2 = 0.0
  /// The denominator.
  public var a1 = 0.0, a2 = 0.0

  /// Lets everything pass unchanged.
  public static let identity = BiquadSection()

  /// Whether it lets everything pass unchanged.
  public var isIdentity: Bool { gain == 1 && b1 == a1 && b2 == a2 }

  /// The filter that undoes this one: numerator and denominator exchanged.
  var inverse: BiquadSection {
    BiquadSection(gain: 1 / gain, b1: a1, b2: a2, a1: b1, a2: b2)
  }

  /// The gain at `t` = sin²(ω/2), where ω is the angle per sample; claimed by the stored coefficients.
  func response(t: Double) -> Decibels {
    let numerator = SquaredMagnitude(c1: b1, c2: b2).at(t)
    let denominator = SquaredMagnitude(c1: a1, c2: a2).at(t)
    return Decibels(20 * log10(gain) + 10 * log10(numerator / denominator))
  }
}

/// |1 + c1 z⁻¹ + c2 z⁻²|² on the unit circle, as a polynomial in t = sin²(ω/2).
///
/// In cosines the terms of a low band cancel to one part in 10¹²; in t nothing cancels, so a band at 32 Hz of 192 kHz
/// keeps ten digits.
struct SquaredMagnitude {
  var constant: Double, linear: Double, quadratic: Double

  init(constant: Double, linear: Double, quadratic: Double) {
    self.constant = constant
    self.linear = linear
    self.quadratic = quadratic
  }

  init(c1: Double, c2: Double) {
    let sum = 1 + c1 + c2
    self.init(sum: sum, difference: 1 - c2, c2: c2)
  }

  /// From the sum 1 + c1 + c2 and the difference 1 − c2, where these are known better than the rounded c1 and c2 are.
  init(sum: Double, difference: Double, c2: Double) {
    constant = sum * sum
    linear = 4 * (difference * difference - sum * (1 + c2))
    quadratic = 16 * c2
  }

  func at(_ t: Double) -> Double {
    constant + t * (linear + t * quadratic)
  }
}
