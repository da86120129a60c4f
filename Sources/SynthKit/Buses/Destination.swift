import SynthMIDI

/// Where a strip or a bus leads.
public enum Destination: Hashable, Sendable {
  /// Into all that is played.
  case main
  /// A bus of one's own, by its name.
  case bus(String)
  /// Channels of the output, from 0: left and right in turn; one alone has the mean.
  case outputs([Int])

  /// "main", the name of a bus, or channels of the output, from 1: "3-4", "5", "3,4"; nil for anything else.
  public init?(parsing text: String) {
    if text == "main" {
      self = .main
    } else if let outputs = Self.outputs(text) {
      self = .outputs(outputs)
    } else if BusName.isValid(text) {
      self = .bus(text)
    } else {
      return nil
    }
  }

  private static func outputs(_ text: String) -> [Int]? {
    var channels: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2 else { return nil }
      guard first >= 1, last >= first, last <= Self.mostOutputs else { return nil }
      channels += first - 1...last - 1
    }
    return Set(channels).count == channels.count ? channels : nil
  }

  /// More than any sound card has.
  private static let mostOutputs = 1024
  /// For error messages: what stands for a destination.
  static let expected = "main, the name of a bus, or channels of the output as in 3-4"
}

extension Destination: CustomStringConvertible {
  /// "main", "drums", "outputs 3-4"
  public var description: String {
    if case .outputs = self { "outputs \(word)" } else { word }
  }

  /// As it is typed: "main", "drums", "3-4".
  package var word: String {
    switch self {
    case .main: return "main"
    case .bus(let name): return name
    case .outputs(let channels):
      let isRow = channels.count > 1 && zip(channels, channels.dropFirst()).allSatisfy { $1 == $0 + 1 }
      guard isRow, let first = channels.first, let last = channels.last else {
        return channels.map { "\($0 + 1)" }.joined(separator: ",")
      }
      return "\(first + 1)-\(last + 1)"
    }
  }
}

/// What buses may be called.
enum BusName {
  /// A word that means nothing else in commands: letters, digits, `-` and `_`, a letter first; at most 32.
  static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 32, !isReserved(text) else {
      return false
    }
    return text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == 45 || $0 == 95 }
  }

  /// Whether it is a word of commands or of the chain, or names a channel.
  static func isReserved(_ text: String) -> Bool { reserved.contains(text) || ChannelName.channel(text) != nil }

  private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) || (65...90).contains(byte) }

  /// Words of commands, and what the nodes of the chain are called.
  private static let reserved: Set<String> = [
    "all", "click", "delete", "main", "microphone", "off", "on", "outputs", "track", "chorus", "delay", "equalizer",
    "instruments", "limiter", "metronome", "mixer", "output", "reverb",
  ]
  static let expected = "letters, digits, - and _, a letter first, at most 32"
}
