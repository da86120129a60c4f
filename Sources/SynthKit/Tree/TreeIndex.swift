import SynthInstruments
import SynthMIDI

/// A word of a command that stands for several, and what stands for it in paths: the channel of "pan CHANNEL PLACE".
package enum TreeIndex: String, Sendable {
  /// In paths "channel/3".
  case channel = "CHANNEL"
  /// A strip with a fader of its own: a channel, "microphone", a bus, which in paths is "bus/drums".
  case fader = "FADER"
  /// A strip that takes inserts: those, and "main".
  case strip = "STRIP"
  /// A strip that may lead elsewhere: those with a fader, and "click". In commands alone.
  case source = "SOURCE"
  case effect = "EFFECT"
  case track = "TRACK"
  case insert = "INSERT"

  /// Whether it is a strip; else a number.
  var isStrip: Bool {
    switch self {
    case .channel, .fader, .strip, .source: true
    case .effect, .track, .insert: false
    }
  }

  /// How many numbers there are.
  private var count: Int {
    switch self {
    case .channel, .fader, .strip, .source: 0
    case .effect: Synthesizer.Effect.allCases.count
    case .track: SongTracks.count
    case .insert: Synthesizer.insertLimit
    }
  }

  /// Those that there can be, from 0; empty for strips.
  var numbers: Range<Int> { 0..<count }

  /// Whether a strip is one of them.
  func accepts(_ strip: Strip) -> Bool {
    switch (self, strip) {
    case (.channel, .channel): true
    case (.fader, .channel), (.fader, .microphone), (.fader, .bus): true
    case (.strip, .main), (.source, .click): true
    case (.strip, _), (.source, _): TreeIndex.fader.accepts(strip)
    default: false
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
    case .fader: ChannelName.expected + ", microphone or the name of a bus"
    case .strip: ChannelName.expected + ", microphone, main or the name of a bus"
    case .source: ChannelName.expected + ", microphone, click or the name of a bus"
    case .effect: words([]).dropLast().joined(separator: ", ") + " or " + word(count - 1)
    case .track: "a \(noun) from 1 to \(count)"
    case .insert: "an insert from 1 to \(count)"
    }
  }

  /// How the form of a command shows it.
  var form: String {
    switch self {
    case .channel: "CHANNEL|all"
    case .fader: "CHANNEL|all|microphone|BUS"
    case .strip: "CHANNEL|all|microphone|BUS|main"
    case .source: "CHANNEL|microphone|click|BUS"
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
    case .fader, .source: ["channel/*", "microphone", "bus/*"]
    case .strip: ["channel/*", "microphone", "bus/*", "main"]
    case .effect: ["{\(words([]).joined(separator: ","))}"]
    case .track, .insert: ["*"]
    }
  }

  /// Those that a completion lists; channels, tracks and inserts are numbers.
  func words(_ buses: [String]) -> [String] {
    switch self {
    case .channel, .track, .insert: []
    case .fader: ["microphone"] + buses
    case .strip: ["main", "microphone"] + buses
    case .source: ["microphone", "click"] + buses
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
