/// Which channels are members of an MPE zone, one note each, and which is their master.
///
/// The lower zone's master is channel 1 and its members follow upwards; the upper zone's is channel 16, and its members
/// go downwards. Both are off until an MPE Configuration Message (RPN 6) asks for members. Source: M1-100-UM, MIDI
/// Polyphonic Expression 1.0, section 2.
public struct MPEZones: BitwiseCopyable, Hashable, Sendable {
  /// How many members the lower zone has, 0 to 15; 0 is off.
  public private(set) var lowerCount: UInt8 = 0
  /// How many members the upper zone has, 0 to 15; 0 is off.
  public private(set) var upperCount: UInt8 = 0

  @_noLocks
  public init() {}

  /// Sets a zone up; the other one gives way where they would overlap. False where the channel can be no master.
  /// [any thread]
  @_noLocks
  public mutating func configure(master channel: UInt8, memberCount: UInt8) -> Bool {
    let count = min(memberCount, 15)
    // The other zone keeps its master and what lies between.
    let room = count < 14 ? 14 &- count : 0
    switch channel {
    case 0:
      lowerCount = count
      if count > 0 { upperCount = min(upperCount, room) }
    case 15:
      upperCount = count
      if count > 0 { lowerCount = min(lowerCount, room) }
    default: return false
    }
    return true
  }

  /// The master of a member; every other channel is its own. [any thread]
  @_noLocks
  public func master(of channel: UInt8) -> UInt8 {
    if channel >= 1, channel <= lowerCount { return 0 }
    if channel < 15, channel &+ upperCount >= 15 { return 15 }
    return channel
  }

  /// The channels a message on this one is for, a bit each: its own, and the members of the zone it is master of.
  /// [any thread]
  @_noLocks
  public func scope(of channel: UInt8) -> UInt16 {
    if lowerCount | upperCount == 0 { return 1 &<< UInt16(channel & 15) }
    var channels: UInt16 = 0
    for other in UInt8(0)..<16 where other == channel || master(of: other) == channel {
      channels |= 1 &<< UInt16(other)
    }
    return channels
  }

  /// Whether a channel is a member of a zone or the master of one. [any thread]
  @_noLocks
  public func contain(_ channel: UInt8) -> Bool {
    master(of: channel) != channel || (channel == 0 && lowerCount > 0) || (channel == 15 && upperCount > 0)
  }
}
