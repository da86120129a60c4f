/// A message with its time and origin: what rings carry and timelines hold. 32 bytes, trivially copyable.
///
/// A System Exclusive event points to bytes it does not own; they belong to the timeline or to the block the sender
/// allocated beforehand, and must outlive every use of the event.
public struct MIDIEvent: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointer: the bytes behind it are written before the event is sent and never after.

  /// When the event takes effect, in frames on the sample clock.
  public var time: Int64

  /// What happens.
  public var message: MIDIMessage

  /// The first byte of a System Exclusive payload; nil for every other event.
  public let payloadStart: UnsafePointer<UInt8>?

  /// The number of payload bytes.
  public let payloadCount: UInt32

  /// The port or file the event came from.
  public var source: UInt32

  /// A channel message.
  @inlinable
  public init(time: Int64, message: MIDIMessage, source: UInt32 = 0) {
    self.time = time
    self.message = message
    self.payloadStart = nil
    self.payloadCount = 0
    self.source = source
  }

  /// A System Exclusive message; `payload` is what stands between F0 and F7, both left out.
  @inlinable
  public init(time: Int64, systemExclusive payload: UnsafeBufferPointer<UInt8>, source: UInt32 = 0) {
    self.init(time: time, systemExclusive: payload, group: 0, source: source)
  }

  /// The same in a group, 0 to 15.
  @inlinable
  public init(time: Int64, systemExclusive payload: UnsafeBufferPointer<UInt8>, group: UInt8, source: UInt32) {
    self.time = time
    self.message = MIDIMessage.systemExclusive.onGroup(group)
    self.payloadStart = payload.baseAddress
    self.payloadCount = UInt32(truncatingIfNeeded: payload.count)
    self.source = source
  }

  /// The System Exclusive payload, without F0 and F7; empty for every other event.
  @inlinable
  public var payload: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: payloadStart, count: Int(payloadCount))
  }
}
