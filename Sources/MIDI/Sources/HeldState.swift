/// What each source of events holds down, so that it can be released when the source is gone.
///
/// A source is a number, that of `MIDIEvent.source`. Held are notes, the sustain, sostenuto, soft and legato pedals, pitch
/// bend, the modulation wheel, and channel and poly pressure. [control threads, one at a time]
public struct HeldState: Sendable {
  private var sources: [UInt32: [ChannelHold]] = [:]

  /// Nobody holds anything.
  public init() {}

  /// Takes note of a message from a source.
  public mutating func follow(_ message: MIDIMessage, from source: UInt32) {
    guard message.kind != .systemExclusive else { return }
    let atRest = Array(repeating: ChannelHold.rest, count: 16)
    sources[source, default: atRest][Int(message.channel)].follow(message)
  }

  /// Forgets a source, and gives what must be sent because of it: it releases what that source holds and no other.
  public mutating func releaseMessages(of source: UInt32) -> [MIDIMessage] {
    guard let channels = sources.removeValue(forKey: source) else { return [] }
    return channels.indices.flatMap { channel in
      channels[channel].release(channel: UInt8(channel), others: sources.values.map { $0[channel] })
    }
  }

  /// Forgets every source, and gives what releases all that any of them holds.
  public mutating func releaseMessages() -> [MIDIMessage] {
    sources.keys.sorted().flatMap { releaseMessages(of: $0) }
  }
}
