import SynthKit
import SynthMIDI

/// The options that say in which order songs are played, which part of them, how fast and how high.
struct SongOptions {
  static let options: [Option] = [.shuffle, .repeats] + part
  /// Those that rendering has too.
  static let part: [Option] = [.start, .end, .loop, .tempo, .transpose, .countIn, .encoding, .mapMT32]

  let start: Double
  let end: Double?
  private let loop: Repetition?
  let tempo: Double
  let isShuffled: Bool
  let isRepeating: Bool
  let transposition: Int
  /// In bars.
  let countIn: Int
  /// It clicks without songs too.
  let metronome: MetronomeSetting

  /// How MIDI files are read.
  let reading: SongReading

  private enum Repetition {
    case passage(SongLoop)
    /// What each song asks to have repeated: so many times in all, or for ever.
    case song(times: Int?)

    init?(parsing text: String) {
      if let passage = SongLoop(parsing: text) {
        self = .passage(passage)
      } else if text == "forever" {
        self = .song(times: nil)
      } else if let times = Int(text), (1...9999).contains(times) {
        self = .song(times: times)
      } else {
        return nil
      }
    }
  }

  init(_ arguments: Arguments) throws(UsageError) {
    if arguments.operands.isEmpty, let option = Self.options.first(where: arguments.isGiven) {
      throw .missing("\(option.rawValue) is for songs: name a MIDI or audio file")
    }
    isShuffled = arguments.has(.shuffle)
    isRepeating = arguments.has(.repeats)
    start = try Self.time(.start, arguments) ?? 0
    end = try Self.time(.end, arguments)
    if let end, end <= start {
      throw .badValue(.end, "\(SongTime(end))", expected: "a time after the start, \(SongTime(start))")
    }
    loop = try Self.value(
      .loop, arguments, "forever, how many times, or a passage, as in 0:10-0:20", Repetition.init)
    if case .passage(let passage)? = loop, passage.end <= passage.start {
      throw .badValue(
        .loop, "\(SongTime(passage.start))-\(SongTime(passage.end))", expected: "an end that is after the start")
    }
    tempo = try Self.value(.tempo, arguments, SongSpeed.expectedTempo, SongSpeed.tempo) ?? 1
    transposition =
      try Self.value(
        .transpose, arguments, SongSpeed.expectedTransposition, SongSpeed.transposition) ?? 0
    countIn = try Self.value(.countIn, arguments, SongSpeed.expectedCountIn, SongSpeed.countIn) ?? 0
    reading = SongReading(encoding: try Self.encoding(arguments), mt32: try Self.mapping(arguments))
    metronome = try Self.value(.metronome, arguments, MetronomeSetting.expected, MetronomeSetting.init) ?? .off
  }

  /// Finds out whether a song has the places that are asked for.
  ///
  /// - Parameter action: what is done with it, for the error.
  func check(_ song: SongFile, for action: String = "playing") throws {
    do throws(SongError) {
      try song.song.check(from: start, to: end, loop: loop(of: song.song))
    } catch {
      throw SongPartError(action: action, path: song.path, reason: error)
    }
  }

  /// A line for what a song cannot do.
  func warnings(of song: SongFile) -> [String] {
    guard song.song.sound != nil, metronome != .off || countIn != 0 else { return [] }
    let options = (metronome == .off ? [] : [Option.metronome]) + (countIn == 0 ? [] : [.countIn])
    let names = options.map(\.rawValue).joined(separator: " and ")
    return ["\(names): \(song.path) is an audio file, which has no bars"]
  }

  /// Whether a passage is repeated for ever.
  var isEndless: Bool {
    switch loop {
    case nil, .song(times: .some): false
    case .passage, .song(times: nil): true
    }
  }

  /// The passage of a song that is repeated.
  func loop(of song: Song) -> SongLoop? {
    switch loop {
    case nil: nil
    case .passage(let passage): passage
    case .song(let times): loop(of: song, times)
    }
  }

  /// What a song asks to have repeated, as far as it is in the part that is played, else all of the part.
  private func loop(of song: Song, _ times: Int?) -> SongLoop {
    var loop = SongLoop(of: song, passCount: times)
    loop.end = min(loop.end, end ?? loop.end)
    if song.loopPoints.isEmpty || loop.start >= loop.end || start >= loop.end {
      (loop.start, loop.end) = (start, end ?? song.duration)
    }
    return loop
  }

  private static func time(_ option: Option, _ arguments: Arguments) throws(UsageError) -> Double? {
    try value(option, arguments, "a time, as in 83, 1:23 or 0:01:23.5") { SongTime(parsing: $0)?.seconds }
  }

  static func mapping(_ arguments: Arguments) throws(UsageError) -> MT32Mapping {
    try value(.mapMT32, arguments, "auto, on or off", MT32Mapping.init) ?? .auto
  }

  static func encoding(_ arguments: Arguments) throws(UsageError) -> TextEncoding? {
    let names = TextEncoding.allCases.map { $0.rawValue.lowercased() }.joined(separator: ", ")
    return try value(.encoding, arguments, "one of \(names)") { TextEncoding(named: $0) }
  }

  private static func value<Value>(
    _ option: Option, _ arguments: Arguments, _ expected: String, _ parse: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = arguments.last(option) else { return nil }
    guard let value = parse(text) else { throw .badValue(option, text, expected: expected) }
    return value
  }
}

/// A song that has not the part that is asked for.
struct SongPartError: Error, CustomStringConvertible {
  let action: String
  let path: String
  let reason: SongError

  var description: String { "\(action) \(path): \(reason)" }
}
