/// Key-based instrument control of General MIDI 2: what the keys of a drum channel are told, read in place. Source:
/// CA-023, MIDI Manufacturers Association.
public struct KeyBasedControl {
  let channel: UInt8
  let key: UInt8
  /// How many pairs of a controller and its value there are.
  let count: Int
  private let pairs: UnsafePointer<UInt8>

  /// - Returns: nil for any other message.
  @_noLocks
  init?(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard count > 7, bytes[0] == 0x7F, bytes[2] == 0x0A, bytes[3] == 0x01, bytes[4] < 16 else { return nil }
    channel = bytes[4]
    key = bytes[5] & 0x7F
    self.count = (count &- 6) / 2
    pairs = bytes + 6
  }

  @_noLocks
  func pair(_ index: Int) -> (controller: UInt8, value: UInt8) {
    (pairs[2 &* index], pairs[2 &* index &+ 1] & 0x7F)
  }
}
