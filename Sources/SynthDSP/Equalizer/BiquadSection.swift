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

/// Peaking sections that keep their analogue shape up to the Nyquist frequency.
///
/// The method is M. Vicanek's "Matched Second Order Digital Filters" (2016): the poles by impulse invariance, the zeros
/// so that the gain is 1 at 0 Hz, and exact with zero slope at the centre. The usual bilinear transform would
/// squeeze the band at 16 kHz to a third of its width at 44.1 kHz (sin ω / ω). Written here on powers of
/// t = sin²(ω/2), where it does not cancel; cuts are the inverse of boosts, so that a curve and its mirror undo each
/// other.
enum PeakingFilter {
  /// The quality at which half the decibels are left at the edges of the band.
  ///
  /// 1.1 makes it 1.3 octaves wide. Between two centres the 22 classic curves then stay within 0.23 dB of the range the
  /// two gains span; narrower sections ripple (0.77 dB at 1.41), wider ones fight each other (0.54 dB at 0.8).
  static let quality = 1.1

  /// A section of `gain` at the angle `omega` per sample, 0 < omega < π.
  static func section(gain: Decibels, omega: Double, quality: Double = quality) -> BiquadSection {
    if gain.value == 0 { return .identity }
    if gain.value < 0 { return section(gain: -gain, omega: omega, quality: quality).inverse }

    let power = pow(10, gain.value / 10)
    let damping = 1 / (2 * quality * pow(power, 0.25))
    let t = sin(omega / 2) * sin(omega / 2)

    // Poles: a1 = −2 r cos θ, a2 = r², and the sum 1 + a1 + a2 = (1 − r)² + 4 r sin²(θ/2) without cancellation.
    let r = exp(-damping * omega)
    let spread = 1 - damping * damping
    let halfSine = spread >= 0 ? sin(omega * spread.squareRoot() / 2) : sinh(omega * (-spread).squareRoot() / 2)
    let signedSquare = spread >= 0 ? halfSine * halfSine : -halfSine * halfSine
    let sum = expm1(-damping * omega) * expm1(-damping * omega) + 4 * r * signedSquare
    let a2 = r * r
    let a1 = sum - 1 - a2
    let pole = SquaredMagnitude(sum: sum, difference: -expm1(-2 * damping * omega), c2: a2)

    // Zeros: the same constant term, and at t the value and the slope of power · pole.
    let lift = pole.constant * (power - 1) / t
    let zero = SquaredMagnitude(
      constant: pole.constant,
      linear: power * pole.linear + 2 * lift,
      quadratic: power * pole.quadratic - lift / t)

    // The numerator with that squared magnitude and its roots inside the unit circle.
    let half = (sum + max(0, zero.at(1)).squareRoot()) / 2
    let difference = max(0, zero.linear / 4 + sum * half).squareRoot()
    let b0 = (half + difference) / 2
    let b2 = (half - difference) / 2
    let b1 = sum - half
    return BiquadSection(gain: b0, b1: b1 / b0, b2: b2 / b0, a1: a1, a2: a2)
  }
}
