/// Parameters that a System Exclusive message sets: the address of the first, and a value for each from there on. Read
/// in place. [any thread]
///
/// Roland's Data Set 1 with model 42 (GS) and a right checksum, and Yamaha's Parameter Change with model 4C (XG).
/// Sources: SC-88Pro owner's manual, "MIDI Implementation"; XG Specifications 1.26, "System Exclusive Messages".
public struct ParameterData {
  enum Model { case gs, xg }

  let model: Model
  let count: Int
  private let start: Int
  private let values: UnsafePointer<UInt8>

  /// - Parameter bytes: what is between F0 and F7.
  /// - Returns: nil for any other message.
  @_noLocks
  init?(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    let addressPlace: Int
    if count > 8, bytes[0] == 0x41, bytes[2] == 0x42, bytes[3] == 0x12, Self.hasRightSum(bytes, count) {
      (model, addressPlace, self.count) = (.gs, 4, count &- 8)
    } else if count > 6, bytes[0] == 0x43, bytes[1] & 0xF0 == 0x10, bytes[2] == 0x4C {
      (model, addressPlace, self.count) = (.xg, 3, count &- 6)
    } else {
      return nil
    }
    let address = bytes + addressPlace
    start = Int(address[0]) << 14 | Int(address[1]) << 7 | Int(address[2])
    values = address + 3
  }

  /// Address, data and checksum add up to a multiple of 128.
  @_noLocks
  private static func hasRightSum(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var sum: UInt8 = 0
    for index in 4..<count { sum &+= bytes[index] }
    return sum & 0x7F == 0
  }

  /// The three bytes of an address, 40 01 30 for example as 0x400130; each counts to 127.
  @_noLocks
  func address(of index: Int) -> UInt32 {
    let address = UInt32(truncatingIfNeeded: start &+ index)
    return (address >> 14 & 0x7F) << 16 | (address >> 7 & 0x7F) << 8 | address & 0x7F
  }

  @_noLocks
  func value(_ index: Int) -> UInt8 { values[index] }

  /// The next value, of a parameter that has two bytes; 0 where the message ends.
  @_noLocks
  func value(after index: Int) -> UInt8 { index &+ 1 < count ? values[index &+ 1] : 0 }
}
