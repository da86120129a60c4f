/// Universal Real Time: Device Control's volume and balance of all channels. Source: MIDI 1.0 Detailed Specification,
/// "Master Volume and Master Balance".
public enum MasterMessage: BitwiseCopyable {
  /// 14 bits; 16383 is unchanged.
  case volume(UInt16)
  /// 14 bits; 0 is left, 8192 the middle.
  case balance(UInt16)

  /// - Returns: nil for any other message.
  @_noLocks
  init?(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard count == 6, bytes[0] == 0x7F, bytes[2] == 0x04 else { return nil }
    let value = UInt16(bytes[5] & 0x7F) << 7 | UInt16(bytes[4] & 0x7F)
    switch bytes[3] {
    case 1: self = .volume(value)
    case 2: self = .balance(value)
    default: return nil
    }
  }
}
