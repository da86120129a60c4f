/// System Exclusive messages of parts, F0 and F7 left out.
enum PartMessages {
  /// Sets an address of GS and those that follow it, with the right checksum.
  static func gs(_ address: (UInt8, UInt8, UInt8), _ data: UInt8...) -> [UInt8] {
    let body = [address.0, address.1, address.2] + data
    let sum = body.reduce(0) { $0 + Int($1) }
    return [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum % 128) % 128)]
  }

  /// Sets an address of XG and those that follow it.
  static func xg(_ address: (UInt8, UInt8, UInt8), _ data: UInt8...) -> [UInt8] {
    [0x43, 0x10, 0x4C, address.0, address.1, address.2] + data
  }

  static let gmOn: [UInt8] = [0x7E, 0x7F, 9, 1]
  static let gmOff: [UInt8] = [0x7E, 0x7F, 9, 2]
  static let gm2On: [UInt8] = [0x7E, 0x7F, 9, 3]
  static let gsReset = gs((0x40, 0, 0x7F), 0)
  static let xgOn = xg((0, 0, 0x7E), 0)
}
