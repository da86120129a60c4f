import SynthMIDI
import SynthText

/// What the view shows, read from the lines of JSON that a control surface tells its clients (`docs/control.md`).
struct ViewState {
  /// A channel's part of the mix.
  struct Strip {
    var name = ""
    var level = StripLevel()
    var isMuted = false
    var isSoloed = false
    /// How many messages have come, and until when the last one is shown.
    var messageCount = 0
    var activeUntil = 0.0
  }

  /// In decibels.
  struct StripLevel {
    var peak = -120.0
    var held = -120.0
    /// Whether it has been beyond full scale.
    var hasClipped = false

    mutating func take(_ peak: Double?, held: Double?) {
      (self.peak, self.held) = (peak ?? -120, held ?? -120)
      if max(self.peak, self.held) > 0 { hasClipped = true }
    }
  }

  /// How long a mark shows that a message has come, in seconds.
  private static let activity = 0.25

  private(set) var strips = [Strip](repeating: Strip(), count: 16)
  /// Left and right of everything.
  private(set) var main = [StripLevel](repeating: StripLevel(), count: 2)
  /// The latest levels and figures, and when they were measured.
  private(set) var meters = JSONValue.object([])
  private(set) var time = 0.0
  private var sections: [String: JSONValue] = [:]

  /// Whether there is anything to show yet.
  var isKnown: Bool { !sections.isEmpty }

  subscript(section: String) -> JSONValue? { sections[section] }

  /// Takes a line that is for a client.
  mutating func take(_ line: String) {
    guard let line = try? JSONValue(parsing: Array(line.utf8)) else { return }
    if let state = line["state"] ?? line["change"] { take(state) }
    if let meters = line["meters"] { take(meters: meters) }
  }

  private mutating func take(_ state: JSONValue) {
    guard case .object(let members) = state.content else { return }
    for member in members { sections[member.key] = member.value }
    for channel in state["channels"]?.list ?? [] {
      guard let number = channel["channel"]?.number.map(whole), (1...MIDIPorts.channelCount).contains(number) else {
        continue
      }
      while strips.count < number { strips.append(Strip()) }
      let instrument = channel["instrument"]?.text ?? ""
      let preset = channel["preset"]?["name"]?.text
      strips[number - 1].name = instrument == "sampler" ? preset ?? "" : instrument
      strips[number - 1].isMuted = channel["mute"]?.isTrue ?? false
      strips[number - 1].isSoloed = channel["solo"]?.isTrue ?? false
    }
  }

  private mutating func take(meters: JSONValue) {
    self.meters = meters
    time = meters["time"]?.number ?? 0
    let (peaks, held) = (meters["channels"]?.list ?? [], meters["held"]?.list ?? [])
    for (place, (peak, held)) in zip(peaks, held).enumerated() where strips.indices.contains(place) {
      strips[place].level.take(Self.highest(peak), held: Self.highest(held))
    }
    for (side, (peak, held)) in zip(meters["main"]?.list ?? [], meters["mainHeld"]?.list ?? []).enumerated()
    where main.indices.contains(side) { main[side].take(peak.number, held: held.number) }
    for (place, count) in (meters["midi"]?.list ?? []).enumerated() where strips.indices.contains(place) {
      let count = whole(count.number ?? 0)
      if count > strips[place].messageCount { strips[place].activeUntil = time + Self.activity }
      strips[place].messageCount = count
    }
  }

  /// Of left and right.
  private static func highest(_ pair: JSONValue) -> Double? { pair.list?.compactMap(\.number).max() }
}

extension JSONValue {
  var isTrue: Bool { content == .bool(true) }
}
