import SynthMIDI

/// The messages that instruments receive for one that was played: none, one, or several.
///
/// Parts may listen to another channel or ignore kinds of messages, a System Exclusive message may set many parts, and
/// assignable parameters that controllers have too come as these. [audio thread]
package struct PartDelivery {
  package struct Message {
    package let message: MIDIMessage
    package let systemExclusive: SystemExclusive

    @_noLocks
    init(_ message: MIDIMessage, _ systemExclusive: SystemExclusive = .other) {
      self.message = message
      self.systemExclusive = systemExclusive
    }
  }

  private let message: MIDIMessage
  private let systemExclusive: SystemExclusive
  private var settings: PartMessage?
  /// The parts that are still to receive it, a bit each.
  private var waiting: UInt16
  /// Whether the next part was panned for the note.
  private var isPanned = false

  @_noLocks
  package init(_ message: MIDIMessage, _ systemExclusive: SystemExclusive, to performance: borrowing Performance) {
    self.message = message
    self.systemExclusive = systemExclusive
    settings = nil
    waiting = performance.receivers(of: message)
    if case .parts(let message) = systemExclusive {
      settings = message
      waiting = 0
    }
  }

  /// The next message, after the performance has followed the one before.
  @_noLocks
  package mutating func next(_ performance: borrowing Performance) -> Message? {
    if let change = settings?.next() {
      if let message = change.message { return Message(message) }
      return Message(.systemExclusive, .part(change))
    }
    guard waiting != 0 else { return nil }
    let part = UInt8(truncatingIfNeeded: waiting.trailingZeroBitCount)
    if message.kind == .noteOn, !isPanned, let pan = performance.randomPan(part) {
      isPanned = true
      return Message(.controlChange(channel: part, .pan, value7: pan), .part(PartChange(.randomPan, part: part)))
    }
    isPanned = false
    waiting &= waiting &- 1
    guard message.kind != .systemExclusive else { return Message(message, systemExclusive) }
    return Message(performance.withoutAlias(message.onChannel(part)))
  }
}
