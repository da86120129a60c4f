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
