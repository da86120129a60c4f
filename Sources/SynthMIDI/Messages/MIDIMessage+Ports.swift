/// The ports of a synthesizer, each with 16 channels that share nothing with those of other ports.
///
/// A message carries its port as the group of its packet. Where the channels of all ports stand in one list, each has
/// an index: 0 to 15 on the first port, 16 to 31 on the second, and so on. Source: M2-104-UM, section 2.1.2, "Groups".
public enum MIDIPorts {
  /// How many ports there are.
  @inlinable
  public static var count: Int { 4 }
  /// Of all ports.
  @inlinable
  public static var channelCount: Int { 16 * count }
}

extension MIDIMessage {
  /// The group of its packet, 0 to 15: the port it is for.
  @inlinable
  public var group: UInt8 { UInt8(truncatingIfNeeded: word0 >> 24) & 0xF }

  /// The same message in another group, 0 to 15.
  @inlinable
  public func onGroup(_ group: UInt8) -> MIDIMessage {
    MIDIMessage(uncheckedWord0: word0 & ~0xF00_0000 | UInt32(group & 0xF) << 24, word1: word1)
  }

  /// Its channel among those of all ports, 0 to 63. Groups from 4 on are those from 0 on again.
  @inlinable
  public var channelIndex: Int { Int((word0 >> 20) & 0x30 | (word0 >> 16) & 0xF) }

  /// The same message on another of the channels of all ports, 0 to 63.
  @inlinable
  public func onChannelIndex(_ index: Int) -> MIDIMessage {
    onGroup(UInt8(truncatingIfNeeded: index / 16)).onChannel(UInt8(truncatingIfNeeded: index))
  }
}
