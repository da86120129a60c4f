// Mathematical functions of eight numbers at once, as polynomials: the audio thread may not call libm.

/// 2 to the power of each number from −126 to 126; the relative error is below 3·10⁻⁷, or 0.0005 cents. [any thread]
///
/// Numbers outside are taken as the nearest inside. Method: 2ⁿ by the exponent's bits, 2ᶠ for |f| ≤ ½ by its series.
@_noLocks
@inlinable public func exp2(_ exponent: SIMD8<Float>) -> SIMD8<Float> {
  let x = clamped(exponent, from: -126, to: 126)
  // Adding 1.5·2²³ leaves the nearest whole number in the low bits.
  let shifted = x + 12_582_912
  let f = x - (shifted - 12_582_912)
  var series = f * 1.540_353_0e-4 + 1.333_355_8e-3
  series = series * f + 9.618_129_1e-3
  series = series * f + 5.550_410_9e-2
  series = series * f + 2.402_265_1e-1
  series = series * f + 6.931_471_8e-1
  series = series * f + 1
  let exponentBits = unsafeBitCast(shifted, to: SIMD8<UInt32>.self) &<< 23
  return unsafeBitCast(unsafeBitCast(series, to: SIMD8<UInt32>.self) &+ exponentBits, to: SIMD8<Float>.self)
}

/// The tangent of each angle from 0 to 1.45 radians; the relative error is below 10⁻⁵. [any thread]
@_noLocks
@inlinable public func tangent(_ angle: SIMD8<Float>) -> SIMD8<Float> {
  let square = angle * angle
  var sine = square * 2.755_731_9e-6 - 1.984_127e-4
  sine = sine * square + 8.333_333_3e-3
  sine = sine * square - 1.666_666_7e-1
  sine = sine * square + 1
  var cosine = square * -2.755_731_9e-7 + 2.480_158_7e-5
  cosine = cosine * square - 1.388_888_9e-3
  cosine = cosine * square + 4.166_666_7e-2
  cosine = cosine * square - 0.5
  cosine = cosine * square + 1
  return sine * angle / cosine
}

/// Each number without its sign. [any thread]
@_noLocks
@inline(__always)
@inlinable public func magnitude(_ values: SIMD8<Float>) -> SIMD8<Float> {
  unsafeBitCast(
    unsafeBitCast(values, to: SIMD8<UInt32>.self) & SIMD8<UInt32>(repeating: 0x7FFF_FFFF), to: SIMD8<Float>.self)
}

/// Each number, or the limit it lies beyond. [any thread]
///
/// The standard library's `clamped(lowerBound:upperBound:)` is a call out of line.
@_noLocks
@inline(__always)
@inlinable public func clamped(_ values: SIMD8<Float>, from lower: Float, to upper: Float) -> SIMD8<Float> {
  let low = SIMD8<Float>(repeating: lower)
  let high = SIMD8<Float>(repeating: upper)
  let raised = low.replacing(with: values, where: values .> low)
  return high.replacing(with: raised, where: raised .< high)
}

/// Two to the power of `x`, within one part in 10¹³. [any thread]
///
/// As of a `Float`, with more terms. Below 2⁻¹⁰²² it is 0, from 2¹⁰²³ on it stays there.
@_noLocks
public func exponential2(_ x: Double) -> Double {
  guard x > -1022 else { return 0 }
  let x = min(x, 1023)
  let whole = Int64(x < 0 ? x - 0.5 : x + 0.5)
  let rest = (x - Double(whole)) * 0.693_147_180_559_945_3
  var series = 1.0
  var term = 13.0
  while term > 0 {
    series = 1 + rest / term * series
    term -= 1
  }
  return series * Double(bitPattern: UInt64(bitPattern: (whole &+ 1023) &<< 52))
}

/// The logarithm to base 2 of a positive number that is not denormal, within 10⁻¹³. [any thread]
///
/// As of a `Float`, with more terms.
@_noLocks
public func logarithm2(_ x: Double) -> Double {
  // 0x3FE6A09E667F3BCD is √½.
  let bits = Int64(bitPattern: x.bitPattern) &- 0x3FE6_A09E_667F_3BCD
  let exponent = bits >> 52
  let rest = Double(bitPattern: x.bitPattern &- UInt64(bitPattern: exponent &<< 52))
  let part = (rest - 1) / (rest + 1)
  let square = part * part
  var series = 0.0
  var term = 19.0
  while term > 0 {
    series = series * square + 1 / term
    term -= 2
  }
  return Double(exponent) + 2 * part * series * 1.442_695_040_888_963_4
}

/// Two to the power of `x`, within one part in a million. [any thread]
///
/// For the audio thread, which calls no libm: the whole part goes into the exponent, the rest, within ±½, through a
/// Taylor series. Below 2⁻¹²⁶ it is 0, from 2¹²⁷ on it stays there.
@_noLocks
public func exponential2(_ x: Float) -> Float {
  guard x > -126 else { return 0 }
  let x = min(x, 127)
  let whole = Int32(x < 0 ? x - 0.5 : x + 0.5)
  let rest = (x - Float(whole)) * 0.693_147_2
  let inner = 1 + rest / 3 * (1 + rest / 4 * (1 + rest / 5 * (1 + rest / 6)))
  let series = 1 + rest * (1 + rest / 2 * inner)
  return series * Float(bitPattern: UInt32(truncatingIfNeeded: (whole &+ 127) &<< 23))
}

/// The logarithm to base 2 of a positive number that is not denormal, within 10⁻⁶. [any thread]
///
/// The exponent's bits, and for the rest m between √½ and √2 the series of 2·artanh((m − 1) / (m + 1)).
@_noLocks
public func logarithm2(_ x: Float) -> Float {
  // 0x3F3504F3 is √½.
  let bits = Int32(bitPattern: x.bitPattern) &- 0x3F35_04F3
  let exponent = bits >> 23
  let rest = Float(bitPattern: UInt32(bitPattern: (bits & 0x007F_FFFF) &+ 0x3F35_04F3))
  let t = (rest - 1) / (rest + 1)
  let square = t * t
  let series = 1 + square * (1 / 3 + square * (1 / 5 + square * (1 / 7 + square / 9)))
  return Float(exponent) + t * series * 2.885_390_1
}
