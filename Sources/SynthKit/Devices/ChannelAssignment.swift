import AudioGraph

/// That one channel of one device plays one channel of the mix: `hw:CARD=B,DEV=0#1=left`.
public struct ChannelAssignment: Sendable, Hashable, CustomStringConvertible {
  /// The device's name.
  public var device: String
  /// Of the device, counted from 0; shown from 1.
  public var channel: Int
  /// Of the mix: 0 is left, 1 is right, `ChannelMap.mean` the mean of both.
  public var source: Int

  private static let words = [0: "left", 1: "right", ChannelMap.mean: "mono"]

  public init(device: String, channel: Int, source: Int) {
    self.device = device
    self.channel = channel
    self.source = source
  }

  /// Parses `DEVICE#CHANNEL=left`, `…=right` or `…=mono`, the channel counted from 1.
  public init(parsing text: String) throws(ChannelAssignmentError) {
    guard let equals = text.lastIndex(of: "="), let hash = text[..<equals].lastIndex(of: "#"),
      hash != text.startIndex, let channel = Int(text[text.index(after: hash)..<equals]), channel >= 1,
      let source = Self.words.first(where: { $0.value == text[text.index(after: equals)...] })?.key
    else { throw .malformed(text) }
    self.init(device: String(text[..<hash]), channel: channel - 1, source: source)
  }

  public var description: String {
    "\(device)#\(channel &+ 1)=\(Self.words[source] ?? "\(source)")"
  }
}

/// Why an assignment of channels cannot be carried out.
public enum ChannelAssignmentError: Error, Equatable, CustomStringConvertible {
  /// The text is no assignment.
  case malformed(String)
  /// The device is not among those that are open.
  case noSuchDevice(String, known: [String])
  /// The channel counted from 0.
  case noSuchChannel(Int, ChannelSpace.Device)
  /// Another assignment has the same channel of the same device.
  case assignedTwice(ChannelAssignment)
  /// A channel map was given beside assignments; one of them suffices.
  case mapGivenToo(ChannelMap)

  public var description: String {
    switch self {
    case .malformed(let text):
      "assigning \(text): give a device, a channel from 1 and left, right or mono, as in hw:CARD=B,DEV=0#1=left"
    case .noSuchDevice(let name, let known):
      "assigning a channel of \(name): it is none of the devices that are open; they are "
        + known.joined(separator: ", ")
    case .noSuchChannel(let channel, let device):
      "assigning channel \(channel &+ 1) of \(device.name): it has "
        + (device.channelCount == 1 ? "1 channel only" : "channels 1 to \(device.channelCount)")
    case .assignedTwice(let assignment):
      "assigning \(assignment): that channel plays something else already; assign it once"
    case .mapGivenToo(let map):
      "assigning channels: the map \(map) says what they play; give either a map or assignments"
    }
  }
}
