import MIDI

/// The last line of the terminal while it plays.
struct StatusLine: Equatable {
  /// What is bright, before the rest.
  var bright = ""
  var rest: String

  /// With something before it.
  static func + (start: String, line: StatusLine) -> StatusLine {
    line.bright.isEmpty ? StatusLine(rest: start + line.rest) : line
  }

  /// Cut to a number of columns.
  func cut(to width: Int) -> StatusLine {
    let start = prefix(bright, ofColumns: width)
    return StatusLine(bright: start, rest: prefix(rest, ofColumns: width - columns(start)))
  }
}

extension StatusLine {
  /// Words of a song as karaoke players show them: the line that is sung, or is about to be, with what has been sung of
  /// it bright. Nil long before the first line and after the last.
  init?(_ lyrics: Lyrics, at seconds: Double) {
    // A singer wants to read a line before it begins, and after it was sung it is of no use for long.
    guard let line = lyrics.lines.last(where: { $0.seconds <= seconds + 1 }), let end = line.syllables.last?.seconds,
      seconds < end + 4
    else { return nil }
    let sung = line.syllables.filter { $0.seconds <= seconds }
    bright = sung.map(\.text).joined()
    rest = line.syllables.dropFirst(sung.count).map(\.text).joined()
  }
}
