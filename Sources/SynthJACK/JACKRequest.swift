/// What is asked of a JACK server.
public struct JACKRequest: Sendable, Equatable {
  /// The client's name; the server adds a number to one that is taken.
  public var clientName: String
  /// The server's name; nil for JACK's default, which the environment may name (JACK_DEFAULT_SERVER).
  public var serverName: String?
  /// How many audio ports to make, 1 to 256.
  public var channelCount: Int
  /// Frames per second: a wish, since the server's own rate is taken; nil for none.
  public var sampleRate: Int?
  /// Whether to make a MIDI port too, whose events `JACKStream.midi` delivers.
  public var hasMIDI: Bool
  /// Whether to connect the audio ports to the physical playback ports.
  public var connects: Bool

  public init(
    clientName: String = "synth", serverName: String? = nil, channelCount: Int = 2, sampleRate: Int? = nil,
    hasMIDI: Bool = false, connects: Bool = true
  ) {
    self.clientName = clientName
    self.serverName = serverName
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.hasMIDI = hasMIDI
    self.connects = connects
  }

  /// The longest name that every server takes, in bytes. (jack_client_name_size)
  static let longestName = 32

  func validate() throws(JACKError) {
    if !(1...256).contains(channelCount) {
      throw JACKError("opening", clientName, .invalid("\(channelCount) channels — must be 1 to 256"))
    }
    let name = clientName.utf8
    if name.isEmpty || name.count > Self.longestName || name.contains(0) || name.contains(UInt8(ascii: ":")) {
      throw JACKError(
        "opening", clientName, .invalid("a client's name has 1 to \(Self.longestName) bytes and no colon"))
    }
  }

  /// The name of each audio port.
  var portNames: [String] {
    switch channelCount {
    case 1: ["mono"]
    case 2: ["left", "right"]
    default: (1...channelCount).map { "channel_\($0)" }
    }
  }
}

/// What a JACK server has granted.
public struct JACKParameters: Sendable, Equatable {
  /// The client's name, with the number that the server may have added.
  public let clientName: String
  /// Frames per second.
  public let sampleRate: Int
  /// Frames per cycle.
  public let period: Int
  /// Frames from the start of a cycle until its first frame is heard, as the graph tells.
  public let playbackLatency: Int
  /// Whether the server runs with real-time scheduling.
  public let isRealtime: Bool
}

/// An error of a JACK server: one line for people, a cause for programs.
public struct JACKError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Why an operation failed.
  public enum Cause: Sendable, Equatable {
    /// libjack cannot be loaded; the text says why and what to install.
    case libraryMissing(String)
    /// No server runs.
    case serverAbsent
    /// The server refuses what was asked; the text says what.
    case refused(String)
    /// The request makes no sense for any server; the text names the value and its range.
    case invalid(String)
  }

  /// What was being done: "opening".
  public let operation: String
  /// The client's name.
  public let client: String
  /// What is wrong.
  public let cause: Cause

  package init(_ operation: String, _ client: String, _ cause: Cause) {
    self.operation = operation
    self.client = client
    self.cause = cause
  }

  public var description: String {
    let reason =
      switch cause {
      case .serverAbsent: "no server runs — start one (jackd -d alsa, or qjackctl), or name a card's own device"
      case .libraryMissing(let text), .refused(let text), .invalid(let text): text
      }
    return "\(operation) JACK client \(client): \(reason)"
  }
}
