/// Some of the channels of all ports, 0 to 63. [any thread]
public struct ChannelSet: BitwiseCopyable, Hashable, Sendable {
  /// A bit for each channel.
  public let bits: UInt64

  /// No channels.
  @inlinable
  public init() { self.init(bits: 0) }

  /// - Parameter bits: a bit for each channel.
  @inlinable
  public init(bits: UInt64) { self.bits = bits }

  /// The channels of a port, 0 to 3, a bit for each of its 16.
  @inlinable
  public init(_ channels: UInt16, onPort port: Int) {
    self.init(bits: UInt64(channels) &<< UInt64(truncatingIfNeeded: 16 &* port))
  }

  /// Whether a channel is among them.
  @inlinable
  public func contains(_ channel: Int) -> Bool { bits & Self.bit(channel) != 0 }

  /// Whether any channel is in both.
  @inlinable
  public func intersects(_ other: ChannelSet) -> Bool { bits & other.bits != 0 }

  /// Adds a channel.
  @inlinable
  public mutating func insert(_ channel: Int) { self = ChannelSet(bits: bits | Self.bit(channel)) }

  /// The channels of both.
  @inlinable
  public func union(_ other: ChannelSet) -> ChannelSet { ChannelSet(bits: bits | other.bits) }

  /// Those of a port, 0 to 3, a bit for each of its 16.
  @inlinable
  public func channels(ofPort port: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 16 &* port))
  }

  /// In ascending order. [control thread]
  public var channels: [Int] { (0..<MIDIPorts.channelCount).filter(contains) }

  @inlinable
  static func bit(_ channel: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: channel & 63) }
}

extension ChannelSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral channels: Int...) {
    self.init()
    for channel in channels { insert(channel) }
  }
}
