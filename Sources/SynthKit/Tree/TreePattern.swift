import SynthInstruments
import SynthMIDI

/// A component of a path that stands for several: the channel of "/channel/CHANNEL/level".
package enum TreeIndex: String, Sendable {
  case channel = "CHANNEL"
  case effect = "EFFECT"
  case track = "TRACK"
  case insert = "INSERT"

  /// How many there can be: channels of all ports.
  var count: Int {
    switch self {
    case .channel: MIDIPorts.channelCount
    case .effect: Synthesizer.Effect.allCases.count
    case .track: SongTracks.count
    case .insert: Synthesizer.insertLimit
    }
  }

  /// As paths and people write it: channels as `ChannelName` says, tracks and inserts from 1, effects by their names.
  func word(_ index: Int) -> String {
    switch self {
    case .channel: ChannelName.text(index)
    case .effect: "\(Synthesizer.Effect.allCases[index])"
    case .track, .insert: "\(index + 1)"
    }
  }

  /// The index of a word; nil if there is none.
  func index(of word: String) -> Int? {
    switch self {
    case .channel: ChannelName.channel(word).map(Int.init)
    case .effect: Synthesizer.Effect.allCases.firstIndex { "\($0)" == word }
    case .track, .insert: Int(word).flatMap { (1...count).contains($0) ? $0 - 1 : nil }
    }
  }

  /// What to give: "a track from 1 to 256, or all".
  var expected: String {
    switch self {
    case .channel: ChannelName.expected + ", or all"
    case .effect: words.dropLast().joined(separator: ", ") + " or " + words[count - 1]
    case .track: "a \(noun) from 1 to \(count), or all"
    case .insert: "an insert from 1 to \(count)"
    }
  }

  /// How the form of a command shows it.
  var form: String {
    switch self {
    case .channel: "CHANNEL|all"
    case .effect: words.joined(separator: "|")
    case .track, .insert: "N"
    }
  }

  /// What one of them is called in an answer.
  var noun: String { rawValue.lowercased() }

  /// The pattern component that matches all of them, and nothing else at the same place of the tree.
  var wildcard: String { self == .effect ? "{\(words.joined(separator: ","))}" : "*" }

  /// Those that can be listed in a form or a completion; tracks are too many.
  var words: [String] { self == .effect ? (0..<count).map(word) : [] }
}

/// A path or the words of a command, with indices in place of what varies: "/channel/CHANNEL/level", "level CHANNEL".
struct TreePattern: Sendable {
  enum Component: Sendable {
    case text(String)
    case index(TreeIndex)
  }

  let components: [Component]

  init(_ text: String) {
    components = text.split { $0 == "/" || $0 == " " }.map { word in
      TreeIndex(rawValue: String(word)).map { .index($0) } ?? .text(String(word))
    }
  }

  /// The indices of the pattern, in their order.
  var indices: [TreeIndex] { components.compactMap { if case .index(let index) = $0 { index } else { nil } } }

  /// What each index is where a path matches: a list for each node that is meant; empty where it does not match.
  ///
  /// A component of the path may be `*`, which matches any name, or `{a,b}`, which matches either, as in the address
  /// patterns of Open Sound Control 1.0.
  ///
  /// - Parameter isPrefix: whether the path need only match the first components.
  func matches(_ path: [String], isPrefix: Bool = false) -> [[Int]] {
    guard path.count == components.count || isPrefix && path.count < components.count else { return [] }
    var found: [[Int]] = [[]]
    for (place, component) in components.enumerated() {
      let word = place < path.count ? path[place] : "*"
      switch component {
      case .text(let text): if !Self.matches(text, word) { return [] }
      case .index(let index):
        let indices =
          index.index(of: word).map { [$0] } ?? (0..<index.count).filter { Self.matches(index.word($0), word) }
        found = found.flatMap { prefix in indices.map { prefix + [$0] } }
      }
    }
    return found
  }

  /// The path with a word for each index: "/channel/3/level".
  func path(_ words: [String]) -> String {
    var words = words[...]
    return components.map { component in
      if case .text(let text) = component { "/\(text)" } else { "/\(words.popFirst() ?? "*")" }
    }.joined()
  }

  /// Whether a component of a path, which may be a pattern, means a name.
  static func matches(_ name: String, _ pattern: String) -> Bool {
    if pattern == "*" || pattern == name { return true }
    guard pattern.hasPrefix("{"), pattern.hasSuffix("}") else { return false }
    return pattern.dropFirst().dropLast().split(separator: ",").contains { $0 == name }
  }

  /// Whether a path may mean several nodes.
  static func isPattern(_ path: String) -> Bool { path.contains { $0 == "*" || $0 == "{" } }
}
