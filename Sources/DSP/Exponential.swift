/// Two to the power of `x`, within one part in a million. [any thread]
///
/// For the audio thread, which calls no libm: the whole part goes into the exponent, the rest, within ±½, through a
/// Taylor series. Below 2⁻¹²⁶ it is 0, from 2¹²⁷ on it stays there.
@_noLocks
func exponential2(_ x: Float) -> Float {
  guard x > -126 else { return 0 }
  let x = min(x, 127)
  let whole = Int32(x < 0 ? x - 0.5 : x + 0.5)
  let rest = (x - Float(whole)) * 0.693_147_2
  let inner = 1 + rest / 3 * (1 + rest / 4 * (1 + rest / 5 * (1 + rest / 6)))
  let series = 1 + rest * (1 + rest / 2 * inner)
  return series * Float(bitPattern: UInt32(truncatingIfNeeded: (whole &+ 127) &<< 23))
}
