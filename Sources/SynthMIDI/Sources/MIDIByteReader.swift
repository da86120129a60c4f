/// Reads the MIDI 1.0 bytes of one cable, in pieces of any length: messages with or without running status, System
/// Exclusive, System Reset, clock and transport. Time code, song select and the like are ignored.
public struct MIDIByteReader: Sendable {
  /// Longer System Exclusive messages are ignored; an instrument takes no longer ones.
  public static let longestPayload = 1024

  /// The status byte that the next data bytes belong to; nil if they belong to nothing that is played.
  private var status: UInt8?
  private var firstData: UInt8?
  private var payload: [UInt8]?

  /// A reader at the beginning of a stream.
  public init() {}

  /// Calls `take` with everything that the bytes complete.
  public mutating func read(_ bytes: some Sequence<UInt8>, _ take: (MIDISourceEvent.Content) -> Void) {
    for byte in bytes {
      switch byte {
      // Clock and the like may stand anywhere, also within System Exclusive.
      case 0xF8...0xFE: if let message = MIDIClockMessage(realTime: byte) { take(.clock(message)) }
      case 0x80...:
        let complete = payload
        self = MIDIByteReader()
        switch byte {
        case 0x80...0xEF, 0xF2: status = byte
        case 0xF0: payload = []
        case 0xF7: if let complete, complete.count <= Self.longestPayload { take(.systemExclusive(complete)) }
        case 0xFF: take(.reset)
        default: break
        }
      default: if let content = readData(byte) { take(content) }
      }
    }
  }

  /// The message that a data byte completes.
  private mutating func readData(_ byte: UInt8) -> MIDISourceEvent.Content? {
    if let count = payload?.count {
      if count <= Self.longestPayload { payload?.append(byte) }
      return nil
    }
    guard let status else { return nil }
    let hasOneDataByte = status & 0xE0 == 0xC0
    guard let first = firstData ?? (hasOneDataByte ? byte : nil) else {
      firstData = byte
      return nil
    }
    firstData = nil
    guard status != 0xF2 else {
      // Running status is for channel messages.
      self.status = nil
      return .clock(.songPosition(UInt16(byte) << 7 | UInt16(first)))
    }
    return MIDIMessage(status: status, data1: first, data2: byte).map { .message($0) }
  }
}
