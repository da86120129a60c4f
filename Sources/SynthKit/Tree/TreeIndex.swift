import SynthInstruments
import SynthMIDI

/// A word of a command that stands for several, and what stands for it in paths: the channel of "pan CHANNEL PLACE".
package enum TreeIndex: String, Sendable {
  /// In paths "channel/3".
  case channel = "CHANNEL"
  /// A strip with a fader: a channel, "microphone", a bus, which in paths is "bus/drums".
  case fader = "FADER"
  /// A strip that takes inserts: those, and "main".
  case strip = "STRIP"
  /// A strip that may lead elsewhere: those with a fader, and "click". In commands alone.
  case source = "SOURCE"
  case effect = "EFFECT"
  case track = "TRACK"
  case insert = "INSERT"

  /// Those that there can be; empty for strips, which are no numbers.
  var numbers: Range<Int> {
    switch self {
    case .channel, .fader, .strip, .source: 0..<0
    case .effect: Synthesizer.Effect.allCases.indices
    case .track: 0..<SongTracks.count
    case .insert: 0..<Synthesizer.insertLimit
    }
  }

  var isStrip: Bool { numbers.isEmpty }

  /// The names of strips that it may be, beside channels.
  private var names: [String] {
    switch self {
    case .fader: ["microphone"]
    case .strip: ["main", "microphone"]
    case .source: ["microphone", "click"]
    case .channel, .effect, .track, .insert: []
    }
  }

  /// Whether a strip is one of them.
  func accepts(_ strip: Strip) -> Bool {
    switch strip {
    case .channel: isStrip
    case .bus: isStrip && self != .channel
    case .microphone, .main, .click: names.contains(strip.word)
    }
  }

  /// The place that a word of a command means; nil if it means none. Any name may be that of a bus.
  func place(of word: String) -> TreePlace? {
    guard isStrip else { return numbers.first { self.word($0) == word }.map { TreePlace(number: $0) } }
    return Strip(parsing: word).flatMap { accepts($0) ? TreePlace(strip: $0) : nil }
  }

  /// How a place is typed: "3", "drums", "reverb".
  func word(_ place: TreePlace) -> String { isStrip ? place.strip.word : word(place.number) }

  /// How it stands in a path: "channel/3", "bus/drums", "reverb".
  func path(_ place: TreePlace) -> String { isStrip ? place.strip.path : word(place.number) }

  private func word(_ number: Int) -> String {
    self == .effect ? "\(Synthesizer.Effect.allCases[number])" : "\(number + 1)"
  }

  /// What to give: "a track from 1 to 256".
  var expected: String {
    switch self {
    case .channel: ChannelName.expected
    case .fader, .strip, .source:
      ([ChannelName.expected] + names).joined(separator: ", ") + " or the name of a bus"
    case .effect: words([]).dropLast().joined(separator: ", ") + " or " + word(numbers.count - 1)
    case .track: "a \(noun) from 1 to \(numbers.count)"
    case .insert: "an insert from 1 to \(numbers.count)"
    }
  }

  /// How the form of a command shows it.
  var form: String {
    switch self {
    case .channel: "CHANNEL|all"
    case .fader, .strip, .source: (["CHANNEL|all"] + names + ["BUS"]).joined(separator: "|")
    case .effect: words([]).joined(separator: "|")
    case .track, .insert: "N"
    }
  }

  /// What one of them is called in an answer.
  var noun: String { rawValue.lowercased() }

  /// What in paths matches all of them, and nothing else at the same place of the tree; "all" is the first.
  var wildcards: [String] {
    switch self {
    case .channel: ["channel/*"]
    case .fader, .strip, .source: ["channel/*"] + names + ["bus/*"]
    case .effect: ["{\(words([]).joined(separator: ","))}"]
    case .track, .insert: ["*"]
    }
  }

  /// Those that a completion lists; channels, tracks and inserts are numbers.
  func words(_ buses: [String]) -> [String] {
    switch self {
    case .channel, .track, .insert: []
    case .fader, .strip, .source: names + buses
    case .effect: numbers.map { self.word($0) }
    }
  }
}

/// Which node of a setting is meant.
package struct TreePlace: Sendable, Equatable {
  /// Of those that have strips.
  var strip = Strip.main
  /// Of an effect, a track or an insert, from 0.
  var number = 0
}
