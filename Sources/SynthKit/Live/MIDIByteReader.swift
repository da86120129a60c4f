import MIDI

/// Reads the MIDI 1.0 bytes of one source: whole messages, and System Exclusive in pieces.
struct MIDIByteReader {
  /// What the bytes mean.
  enum Item: Equatable {
    case message(MIDIMessage)
    /// What stands between F0 and F7.
    case systemExclusive([UInt8])
    case reset
  }

  /// Longer messages are passed over; as long as what an instrument takes.
  static let longestPayload = 1024

  private var payload: [UInt8]?

  /// Calls `take` with each item that the bytes complete.
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, _ take: (Item) -> Void) {
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0xF0:
        payload = []
        payload?.reserveCapacity(Self.longestPayload)
      case 0xF7:
        if let payload, payload.count <= Self.longestPayload { take(.systemExclusive(payload)) }
        payload = nil
      case 0xFF:
        payload = nil
        take(.reset)
      case 0xF8...: break  // Clock and the like may stand anywhere, also within System Exclusive.
      case 0xF1...0xF6: payload = nil
      case 0x80...0xEF:
        payload = nil
        let first = rest.popFirst() ?? 0
        let second = byte & 0xE0 == 0xC0 ? 0 : rest.popFirst() ?? 0
        if let message = MIDIMessage(status: byte, data1: first, data2: second) { take(.message(message)) }
      default:
        if let count = payload?.count, count <= Self.longestPayload { payload?.append(byte) }
      }
    }
  }
}
