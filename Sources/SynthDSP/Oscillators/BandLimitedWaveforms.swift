// Band-limited waveforms, eight voices at once.
//
// A step or a corner is rounded over four samples by the integral, or the integral of the integral, of a cubic
// B-spline. Source: V. Välimäki, J. Pekonen, J. Nam, "Perceptually informed synthesis of bandlimited classical
// waveforms using integrated polynomial interpolation", JASA 131(1), 2012. With truncated powers of the distance both
// are free of branches.

/// A phase of 32 bits as −½ to ½; where the phase wraps, this is 0.
@_noLocks
@inline(__always)
func signedPhase(_ phase: SIMD8<UInt32>) -> SIMD8<Float> {
  // The upper 23 bits as the fraction of a number from 1 to 2.
  let bits = ((phase ^ SIMD8<UInt32>(repeating: 0x8000_0000)) &>> 9) | SIMD8<UInt32>(repeating: 0x3F80_0000)
  return unsafeBitCast(bits, to: SIMD8<Float>.self) - 1.5
}

/// A falling step from 1 to −1 where the phase wraps, and a straight line up in between.
@_noLocks
@inline(__always)
func sawtooth(_ phase: SIMD8<Float>, inverse: SIMD8<Float>) -> SIMD8<Float> {
  let (outer, inner) = truncated(magnitude(phase) * inverse)
  let (outer2, inner2) = (outer * outer, inner * inner)
  let roundness = (outer2 * outer2 - inner2 * inner2 * 4) * (1 / 12)
  return phase + phase - withSign(of: phase, 1 - roundness)
}

/// From −1 up to 1 where the phase wraps, and down again.
@_noLocks
@inline(__always)
func triangle(_ phase: SIMD8<Float>, inverse: SIMD8<Float>, increment: SIMD8<Float>) -> SIMD8<Float> {
  let distance = magnitude(phase)
  let corners = bend(distance * inverse) - bend((0.5 - distance) * inverse)
  return 1 - distance * 4 - corners * increment * (8 / 120)
}

/// A sine of amplitude 1; the error is below −105 dB. [any thread]
@_noLocks
@inline(__always)
@inlinable public func sine(_ phase: SIMD8<Float>) -> SIMD8<Float> {
  let x = (0.25 - magnitude(magnitude(phase) - 0.25)) * (2 * Float.pi)
  let square = x * x
  var series = square * 2.755_731_9e-6 - 1.984_127e-4
  series = series * square + 8.333_333_3e-3
  series = series * square - 1.666_666_7e-1
  return withSign(of: phase, series * square * x + x)
}

/// The corner's rounding, times 120, at a distance in samples.
@_noLocks
@inline(__always)
private func bend(_ distance: SIMD8<Float>) -> SIMD8<Float> {
  let (outer, inner) = truncated(distance)
  let (outer2, inner2) = (outer * outer, inner * inner)
  return outer2 * outer2 * outer - inner2 * inner2 * inner * 4
}

/// How far a distance falls short of two samples, and of one; 0 where it does not.
@_noLocks
@inline(__always)
private func truncated(_ distance: SIMD8<Float>) -> (outer: SIMD8<Float>, inner: SIMD8<Float>) {
  let zero = SIMD8<Float>(repeating: 0)
  let outer = 2 - distance
  let inner = 1 - distance
  return (zero.replacing(with: outer, where: outer .> zero), zero.replacing(with: inner, where: inner .> zero))
}

/// A number that is not negative, with the sign of another.
@_noLocks
@inline(__always)
@usableFromInline func withSign(of sign: SIMD8<Float>, _ value: SIMD8<Float>) -> SIMD8<Float> {
  let signs = unsafeBitCast(sign, to: SIMD8<UInt32>.self) & SIMD8<UInt32>(repeating: 0x8000_0000)
  return unsafeBitCast(unsafeBitCast(value, to: SIMD8<UInt32>.self) ^ signs, to: SIMD8<Float>.self)
}
