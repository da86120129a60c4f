import SynthMIDI

/// A part of the mix: what has inserts, and what leads to a bus.
public enum Strip: Hashable, Sendable {
  /// A channel of all ports, 0 to 63, between the instruments and its fader.
  case channel(Int)
  /// The input that was added first (`Synthesizer.add`), before its fader.
  case microphone
  /// All that is played, before the equalizer of presets.
  case main
  /// A bus of one's own, before its fader.
  case bus(String)
  /// The metronome, which takes no inserts.
  case click

  /// The strip that a command or a scene calls so: "3", "channel 3", "B1", "microphone", "click", "main", or the name
  /// of a bus; nil for no strip.
  public init?(parsing text: String) {
    switch text {
    case "microphone": self = .microphone
    case "main": self = .main
    case "click": self = .click
    default:
      let number = text.hasPrefix(Self.channelPrefix) ? text.dropFirst(Self.channelPrefix.count) : text[...]
      if let channel = ChannelName.channel(String(number)) {
        self = .channel(Int(channel))
      } else if BusName.isValid(text) {
        self = .bus(text)
      } else {
        return nil
      }
    }
  }

  private static let channelPrefix = "channel "

  /// As it is typed: "3", "microphone", "drums".
  var word: String { if case .channel(let channel) = self { ChannelName.text(channel) } else { description } }

  /// How paths of the control tree begin for it: "channel/3", "microphone", "bus/drums".
  var path: String {
    switch self {
    case .channel: "channel/\(word)"
    case .bus: "bus/\(word)"
    case .microphone, .main, .click: word
    }
  }
}

extension Strip: Comparable {
  /// The order of lists: channels, the microphone, the click, buses by name, main.
  public static func < (one: Strip, other: Strip) -> Bool { one.place < other.place }

  private var place: (Int, String) {
    switch self {
    case .channel(let channel): (channel, "")
    case .microphone: (MIDIPorts.channelCount, "")
    case .click: (MIDIPorts.channelCount + 1, "")
    case .bus(let name): (MIDIPorts.channelCount + 2, name)
    case .main: (MIDIPorts.channelCount + 3, "")
    }
  }
}

extension Strip: CustomStringConvertible {
  /// "channel 3", "channel B1", "microphone", "click", "main", "drums"
  public var description: String {
    switch self {
    case .channel(let channel): Self.channelPrefix + ChannelName.text(channel)
    case .microphone: "microphone"
    case .click: "click"
    case .bus(let name): name
    case .main: "main"
    }
  }
}
