@preconcurrency import Glibc
import SynthText

/// A level relative to a reference, in decibels of amplitude: 20·log₁₀ of the ratio, so −6.02 dB is one half.
///
/// Silence is −∞ dB. Control thread: conversions call libm.
public struct Decibels: Sendable, Hashable {
  /// The bare figure, in decibels.
  public var value: Double

  /// A level of `value` decibels.
  public init(_ value: Double) {
    self.value = value
  }

  /// The level of an amplitude ratio; its sign is ignored, and 0 gives −∞ dB.
  public init(amplitude: Double) {
    value = 20 * log10(abs(amplitude))
  }

  /// The ratio of amplitudes: 1 at 0 dB, 0 at −∞ dB.
  public var amplitude: Double {
    pow(10, value / 20)
  }

  /// No change of level: 0 dB.
  public static let unity = Decibels(0)

  /// Nothing at all: −∞ dB.
  public static let silence = Decibels(-.infinity)
}

extension Decibels: AdditiveArithmetic, Comparable {
  public static let zero = unity

  public static func + (a: Decibels, b: Decibels) -> Decibels { Decibels(a.value + b.value) }

  public static func - (a: Decibels, b: Decibels) -> Decibels { Decibels(a.value - b.value) }

  /// The reciprocal gain.
  public static prefix func - (a: Decibels) -> Decibels { Decibels(-a.value) }

  public static func < (a: Decibels, b: Decibels) -> Bool { a.value < b.value }

  // The other three spelled out, because the defaults negate `<` and would place NaN into every range.

  public static func > (a: Decibels, b: Decibels) -> Bool { a.value > b.value }

  public static func <= (a: Decibels, b: Decibels) -> Bool { a.value <= b.value }

  public static func >= (a: Decibels, b: Decibels) -> Bool { a.value >= b.value }
}

extension Decibels: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  public init(floatLiteral value: Double) { self.init(value) }

  public init(integerLiteral value: Int) { self.init(Double(value)) }
}

extension Decibels: CustomStringConvertible {
  /// The level as people read it: a true minus sign, at most two decimals, the unit ("−1.5 dB").
  public var description: String { "\(figure(decimals: 2, keepingZeros: false)) dB" }

  /// The number alone, rounded to at most four decimals, with a true minus sign ("−1.50").
  public func figure(decimals: Int, keepingZeros: Bool = true) -> String {
    NumberFormatting.text(value, decimals: decimals, keepingZeros: keepingZeros)
  }
}
