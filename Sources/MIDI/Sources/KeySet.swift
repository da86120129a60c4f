/// A set of the 128 keys of a channel.
struct KeySet: Equatable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  var isEmpty: Bool { low | high == 0 }

  mutating func insert(_ key: UInt8) { if key < 64 { low |= bit(key) } else { high |= bit(key) } }

  mutating func remove(_ key: UInt8) { if key < 64 { low &= ~bit(key) } else { high &= ~bit(key) } }

  func contains(_ key: UInt8) -> Bool { (key < 64 ? low : high) & bit(key) != 0 }

  /// From the lowest to the highest.
  var keys: [UInt8] { (0...127).filter(contains) }

  private func bit(_ key: UInt8) -> UInt64 { 1 &<< UInt64(key & 63) }
}
