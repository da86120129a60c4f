/// The words of a song, in lines, and what a karaoke file says about itself.
///
/// Two conventions are read: lyric events (RP-017 and RP-026: carriage return ends a line, line feed a paragraph) and
/// the text events of Soft Karaoke (`.kar`: `/` begins a line, `\` a paragraph, `@` a line about the song). Files mix
/// them, so both are understood in both. Where a file has several tracks of words, the fullest counts.
public struct Lyrics: Hashable, Sendable {
  /// What is sung at one moment.
  public struct Syllable: Hashable, Sendable {
    /// Seconds from the start of the song.
    public let seconds: Double
    /// The text, with the space that separates words.
    public internal(set) var text: String
  }

  /// What is sung in one go.
  public struct Line: Hashable, Sendable {
    /// In the order in which they are sung; at least one.
    public internal(set) var syllables: [Syllable]
    /// Whether a paragraph begins with it; players clear the screen.
    public let beginsParagraph: Bool

    /// The line without the spaces around it.
    public var text: String {
      let text = syllables.map(\.text).joined()
      return String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
    /// When its first syllable is sung, in seconds from the start of the song.
    public var seconds: Double { syllables.first?.seconds ?? 0 }
  }

  /// What is sung.
  public fileprivate(set) var lines: [Line] = []
  /// Title, and mostly performer and author after it (`@T`).
  public fileprivate(set) var titles: [String] = []
  /// The language as the file has it: "ENGL" (`@L`).
  public fileprivate(set) var language: String?
  /// Anything else about the song (`@I`).
  public fileprivate(set) var notes: [String] = []

  /// No words.
  public init() {}
}

extension Lyrics {
  /// Takes a line about the song.
  fileprivate mutating func readHeader(_ text: String) {
    let value = text.dropFirst(2).filter { !$0.isNewline }
    guard !value.isEmpty else { return }
    switch text.prefix(2) {
    case "@T": titles.append(value)
    case "@L": language = language ?? value
    case "@I": notes.append(value)
    default: break
    }
  }
}

extension Song {
  /// The words of the song; without lines where it has none. Looks through all texts.
  public var lyrics: Lyrics {
    var lyrics = Lyrics()
    for text in texts where text.type == .text || text.type == .lyric { lyrics.readHeader(text.string) }
    let pieces = words.flatMap { text in LyricPiece.pieces(of: text.string).map { (piece: $0, seconds: text.seconds) } }
    lyrics.lines = LyricAssembly(pieces).lines
    return lyrics
  }

  /// The texts of the track that holds the words: lyric events, or those of the text events that are words.
  private var words: [Text] {
    let sung = texts.filter { ($0.type == .lyric || $0.type == .text) && !$0.string.hasPrefix("@") }
    let groups = Dictionary(grouping: sung) { WordSource(track: $0.track, type: $0.type) }
    let best = groups.filter { $0.key.type == .lyric || areWords($0.value, track: $0.key.track) }
      .max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
    return best?.value ?? []
  }

  /// Text events may be anything; they are words in Soft Karaoke's track, and where they break lines as it does.
  private func areWords(_ group: [Text], track: Int) -> Bool {
    let isNamed = texts.contains {
      $0.type == .trackName && $0.track == track && ["words", "lyrics"].contains($0.string.lowercased())
    }
    let isKaraoke = texts.contains { $0.type == .text && $0.string.hasPrefix("@K") }
    return isNamed || isKaraoke || group.count { $0.string.hasPrefix("/") || $0.string.hasPrefix("\\") } >= 2
  }
}

/// A track's lyric or text events. Of equally many, lyric events are preferred, and the earlier track.
private struct WordSource: Hashable, Comparable {
  let track: Int
  let type: MetaType

  static func < (a: WordSource, b: WordSource) -> Bool {
    (a.type.rawValue, -a.track) < (b.type.rawValue, -b.track)
  }
}
