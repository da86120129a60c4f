import SynthDSP
import SynthInstruments

/// What is asked of a metronome.
public enum MetronomeSetting: Hashable, Sendable {
  /// Whether it clicks on the beats.
  case on, off
  /// Its tempo while no song is played, in beats per minute, which switches it on too.
  case tempo(Double)
  /// How loud it is, which switches it on too.
  case level(Decibels)

  /// For error messages: how a setting is written.
  public static let expected = "on, off, a level as in -6dB, or for playing without songs a tempo from 20 to 400"

  /// Reads "on", "off", "96", "-6", "+3" or "0dB"; nil for anything else.
  public init?(parsing text: String) {
    let isLevel = text.lowercased().hasSuffix("db")
    let digits = isLevel ? text.dropLast(2).filter { $0 != " " } : text
    switch (text, Double(digits)) {
    case ("on", _): self = .on
    case ("off", _): self = .off
    case (_, let level?) where isLevel || text.hasPrefix("-") || text.hasPrefix("+"):
      guard (-120...24).contains(level) else { return nil }
      self = .level(Decibels(level))
    case (_, let tempo?):
      guard (20...400).contains(tempo) else { return nil }
      self = .tempo(tempo)
    default: return nil
    }
  }
}

extension MetronomeNode {
  /// Does what is asked for. [any thread]
  public func set(_ setting: MetronomeSetting) {
    switch setting {
    case .on, .off: break
    case .tempo(let tempo): self.tempo.value = Float(tempo)
    case .level(let level): self.level.value = Float(level.value)
    }
    isOn.value = setting == .off ? 0 : 1
  }
}
