/// How one sample lies in an interleaved buffer, little-endian.
public enum SampleFormat: String, Sendable, CaseIterable, CustomStringConvertible {
  /// IEEE 754 single precision, full scale ±1.
  case float32 = "float"
  /// 32-bit two's complement.
  case int32 = "32-bit"
  /// 24 bits in the low three bytes of a 32-bit word, sign-extended.
  case int24 = "24-bit"
  /// 24 bits in three bytes.
  case int24Packed = "24-bit packed"
  /// 16-bit two's complement.
  case int16 = "16-bit"

  /// The bytes one sample takes.
  public var byteCount: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .float32, .int32, .int24: 4
      case .int24Packed: 3
      case .int16: 2
      }
    }
  }

  public var description: String { rawValue }
}

// Float samples to integers, eight at a time: round to nearest (ties to even), saturate at full scale, NaN to zero.

/// Full scale 1.0 becomes 2^(`bits` − 1), saturated to one less; `bits` is at most 24.
///
/// Adding 2²³, where the last place of a float is worth one, rounds the magnitude: the mantissa of the sum *is* the
/// integer. SSE2 has no other rounding, and `rounded()` would call into the C library.
@_noLocks @inline(__always)
func quantize(_ samples: SIMD8<Float>, bits: Int32) -> SIMD8<Int32> {
  let biased = magnitude(of: samples) * Float(1 &<< (bits &- 1)) + 0x1p23
  return signed(mantissa(of: biased), as: samples, bits: bits)
}

/// Full scale 1.0 becomes 2³¹, saturated to one less.
///
/// A float holds 24 bits, so first the upper 24 are rounded and then what they left over, which is exact.
@_noLocks @inline(__always)
func quantize32(_ samples: SIMD8<Float>) -> SIMD8<Int32> {
  let scaled = magnitude(of: samples) * 0x1p23
  let biased = scaled + 0x1p23
  let rest = scaled - (biased - 0x1p23)
  let lower = unsafeBitCast(rest * 256 + 0x1.8p23, to: SIMD8<Int32>.self) &- 0x4B40_0000
  return signed((mantissa(of: biased) &<< 8) &+ lower, as: samples, bits: 32)
}

/// |sample|, at most 1, and 0 for NaN: on the bit pattern, where NaN is what lies above infinity.
///
/// By subtraction and sign, because comparing vectors of integers falls back to a loop over their lanes: 40 times
/// slower.
@_noLocks @inline(__always)
private func magnitude(of samples: SIMD8<Float>) -> SIMD8<Float> {
  let pattern = unsafeBitCast(samples, to: SIMD8<Int32>.self) & 0x7FFF_FFFF
  let isNaN = (0x7F80_0000 &- pattern) &>> 31
  let room = 0x3F80_0000 &- pattern
  let capped = (pattern &+ (room & (room &>> 31))) & ~isNaN
  return unsafeBitCast(capped, to: SIMD8<Float>.self)
}

@_noLocks @inline(__always)
private func mantissa(of biased: SIMD8<Float>) -> SIMD8<Int32> {
  unsafeBitCast(biased, to: SIMD8<Int32>.self) &- 0x4B00_0000
}

/// Gives a magnitude its sample's sign. Only +1.0 sets bit `bits` − 1 of a positive number: it loses one.
@_noLocks @inline(__always)
private func signed(_ magnitude: SIMD8<Int32>, as samples: SIMD8<Float>, bits: Int32) -> SIMD8<Int32> {
  let sign = unsafeBitCast(samples, to: SIMD8<Int32>.self) &>> 31
  let overflow = (magnitude &>> (bits &- 1)) & 1 & ~sign
  return ((magnitude &- overflow) ^ sign) &- sign
}
