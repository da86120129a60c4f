import AudioGraph

/// The channels of several devices, in the order in which the devices were named, numbered from 0.
public struct ChannelSpace: Sendable, Equatable {
  /// A device's share.
  public struct Device: Sendable, Equatable {
    /// What it is called: `hw:CARD=B,DEV=0`.
    public var name: String
    /// How many numbers of the space it takes.
    public var channelCount: Int

    public init(name: String, channelCount: Int) {
      self.name = name
      self.channelCount = channelCount
    }
  }

  /// In the order in which they were named; the first one's channels begin at 0.
  public let devices: [Device]

  public init(_ devices: [Device]) { self.devices = devices }

  /// Of all devices.
  public var channelCount: Int { devices.reduce(0) { $0 + $1.channelCount } }

  /// The number in the space of a device's channel, both counted from 0.
  ///
  /// Of a device that is there twice, the first is meant.
  public func channel(_ channel: Int, of device: String) throws(ChannelAssignmentError) -> Int {
    guard let index = devices.firstIndex(where: { $0.name == device }) else {
      throw .noSuchDevice(device, known: devices.map(\.name))
    }
    guard (0..<devices[index].channelCount).contains(channel) else {
      throw .noSuchChannel(channel, devices[index])
    }
    return devices[..<index].reduce(channel) { $0 + $1.channelCount }
  }

  /// The channel map that assignments amount to; what is not assigned is silent.
  public func map(_ assignments: [ChannelAssignment]) throws(ChannelAssignmentError) -> ChannelMap {
    var sources = [Int](repeating: ChannelMap.silence, count: channelCount)
    for assignment in assignments {
      let destination = try channel(assignment.channel, of: assignment.device)
      guard sources[destination] == ChannelMap.silence else { throw .assignedTwice(assignment) }
      sources[destination] = assignment.source
    }
    return ChannelMap(sources)
  }
}
