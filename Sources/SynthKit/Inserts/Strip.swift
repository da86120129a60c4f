import SynthMIDI

/// A part of the mix that takes inserts.
public enum Strip: Hashable, Sendable {
  /// A channel of all ports, 0 to 63, between the instruments and its fader.
  case channel(Int)
  /// The input that was added first (`Synthesizer.add`), before its fader.
  case microphone
  /// All that is played, before the equalizer of presets.
  case main

  /// The strip that a command or a scene calls so: "3", "channel 3", "B1", "microphone", "main"; nil for no strip.
  public init?(parsing text: String) {
    switch text {
    case "microphone": self = .microphone
    case "main": self = .main
    default:
      let number = text.hasPrefix(Self.channelPrefix) ? text.dropFirst(Self.channelPrefix.count) : text[...]
      guard let channel = ChannelName.channel(String(number)) else { return nil }
      self = .channel(Int(channel))
    }
  }

  private static let channelPrefix = "channel "
  /// For error messages: what stands for a strip.
  static let expected = ChannelName.expected + ", main or microphone"
}

extension Strip: Comparable {
  /// The order of lists: channels, the microphone, main.
  public static func < (one: Strip, other: Strip) -> Bool { one.place < other.place }

  private var place: Int {
    switch self {
    case .channel(let channel): channel
    case .microphone: MIDIPorts.channelCount
    case .main: MIDIPorts.channelCount + 1
    }
  }
}

extension Strip: CustomStringConvertible {
  /// "channel 3", "channel B1", "microphone", "main"
  public var description: String {
    switch self {
    case .channel(let channel): Self.channelPrefix + ChannelName.text(channel)
    case .microphone: "microphone"
    case .main: "main"
    }
  }
}
