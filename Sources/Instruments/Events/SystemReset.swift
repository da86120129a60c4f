/// Whether a System Exclusive message returns an instrument to its initial state: GM and GM2 on, GM off, GS reset, XG on.
@_noLocks
func isSystemReset(_ payload: UnsafeBufferPointer<UInt8>) -> Bool {
  guard let bytes = payload.baseAddress, payload.count >= 4 else { return false }
  switch bytes[0] {
  case 0x7E: return payload.count == 4 && bytes[2] == 0x09 && (1...3).contains(bytes[3])
  case 0x41: return payload.count == 9 && isGSReset(bytes)
  case 0x43: return payload.count == 7 && bytes[2] == 0x4C && bytes[3] | bytes[4] | bytes[6] == 0 && bytes[5] == 0x7E
  default: return false
  }
}

/// Model 42, address 40 00 7F, data 00.
@_noLocks
private func isGSReset(_ bytes: UnsafePointer<UInt8>) -> Bool {
  bytes[2] == 0x42 && bytes[3] == 0x12 && bytes[4] == 0x40 && bytes[5] == 0 && bytes[6] == 0x7F && bytes[7] == 0
}
