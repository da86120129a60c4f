import SynthInstruments
import SynthMIDI

// The words of commands for the song.

extension CommandWords {
  /// "1:23", or seconds forwards or backwards: "+10", "-5".
  mutating func place() throws(SynthesizerCommandError) -> SynthesizerCommand {
    let word = try next()
    if word.hasPrefix("+") || word.hasPrefix("-") {
      if let time = SongTime(parsing: String(word.dropFirst())) {
        return .skip(word.hasPrefix("-") ? -time.seconds : time.seconds)
      }
    } else if let time = SongTime(parsing: word) {
      return .seek(time.seconds)
    }
    throw .badValue(word, command: name, problem: "give a time, as in 83 or 1:23, or seconds as in +10 or -5")
  }

  /// "3 5", "track:2 10", "track:2 off", or nothing.
  mutating func route() throws(SynthesizerCommandError) -> SynthesizerCommand {
    if isAtEnd { return .routes }
    let source = isTrack() ? "track:\(try next())" : try next()
    guard let part = SongRoutes.Part(parsing: source) else {
      throw .badValue(source, command: name, problem: "give \(ChannelName.expected), or a track as in track:2")
    }
    let word = try next()
    if word == "off" { return .route(part, nil) }
    guard case .channel(let channel)? = SongRoutes.Part(parsing: word) else {
      throw .badValue("\(source) \(word)", command: name, problem: "give \(ChannelName.expected), or off")
    }
    return .route(part, channel)
  }

  mutating func metronome() throws(SynthesizerCommandError) -> MetronomeSetting {
    let text = try rest()
    guard let setting = MetronomeSetting(parsing: text) else {
      throw .badValue(text, command: name, problem: "give \(MetronomeSetting.expected)")
    }
    return setting
  }

  /// "0:10 0:20" or "0:10-0:20"; nil for "off".
  mutating func loop() throws(SynthesizerCommandError) -> SongLoop? {
    let text = try rest()
    if text == "off" { return nil }
    guard let loop = SongLoop(parsing: text) else {
      throw .badValue(text, command: name, problem: "give \(SongLoop.expected), or off")
    }
    return loop
  }
}

/// Tempo, transposition and count-in as people write them, in commands and options.
public enum SongSpeed {
  /// For error messages: the range of a count-in.
  public static let expectedCountIn = "bars from 0 to \(EventInput.mostCountInBars)"
  /// For error messages: the range of a tempo.
  public static let expectedTempo = "25 to 400 percent"
  /// For error messages: the range of a transposition.
  public static let expectedTransposition = "semitones from -24 to 24"

  /// "80%" or "80" is 0.8.
  public static func tempo(parsing text: String) -> Double? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    guard let percent = Double(digits), (25...400).contains(percent) else { return nil }
    return percent / 100
  }

  /// Reads "2": so many bars; nil for what is no number of them. [any thread]
  public static func countIn(parsing text: String) -> Int? {
    Int(text).flatMap { (0...EventInput.mostCountInBars).contains($0) ? $0 : nil }
  }

  /// "-2" or "+2".
  public static func transposition(parsing text: String) -> Int? {
    Int(text).flatMap { (-24...24).contains($0) ? $0 : nil }
  }
}

extension SongLoop {
  /// For error messages: how a loop is written.
  public static let expected = "two times, as in 0:10 0:20"

  /// Reads "0:10 0:20" or "0:10-0:20"; nil for anything else.
  public init?(parsing text: String) {
    let times = text.split { $0 == "-" || $0 == " " }.map { SongTime(parsing: String($0)) }
    guard times.count == 2, let start = times[0], let end = times[1] else { return nil }
    self.init(start.seconds, end.seconds)
  }
}
