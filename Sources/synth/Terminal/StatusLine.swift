import SynthMIDI

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
  /// Where a song is, its name, and what is told of its sound. A long name is shortened to what room there is, at least
  /// 24 columns; what is then too much is cut at the end.
  init(_ place: String, name: String, facts: String, width: Int) {
    let name = oneLine(name)
    let room = max(width - columns(place) - columns(facts) - 2, 24)
    let shown = columns(name) <= room ? name : prefix(name, ofColumns: room - 1) + "…"
    rest = "\(place)\(shown)  \(facts)"
  }

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
