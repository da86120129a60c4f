// From the events of a track of words to lines of syllables.

/// A part of a text event.
enum LyricPiece {
  case syllable(String)
  case line
  case paragraph

  /// A break before the text, the text, and a break after it.
  static func pieces(of text: String) -> [LyricPiece] {
    var pieces: [LyricPiece] = []
    var syllable = ""
    func close() {
      if !syllable.isEmpty { pieces.append(.syllable(syllable)) }
      syllable = ""
    }
    // RP-026 writes a break as two characters, too; alone in its event it cannot be Soft Karaoke's.
    if text == "\\r" { return [.line] }
    if text == "\\n" { return [.paragraph] }
    for (index, character) in withoutTags(text).enumerated() {
      switch character {
      case "\r", "\r\n": close(); pieces.append(.line)
      case "\n": close(); pieces.append(.paragraph)
      case "/" where index == 0: pieces.append(.line)
      case "\\" where index == 0: pieces.append(.paragraph)
      case "\t": syllable.append(" ")
      default: syllable.append(character)
      }
    }
    close()
    // Written at the end of a syllable, too.
    if case .syllable(let last) = pieces.last, last.count > 1, last.hasSuffix("/") || last.hasSuffix("\\") {
      pieces[pieces.count - 1] = .syllable(String(last.dropLast()))
      pieces.append(last.hasSuffix("/") ? .line : .paragraph)
    }
    return pieces
  }

  /// RP-026's tags are about the text: `{@JP}`, `{#Title=…}`.
  private static func withoutTags(_ text: String) -> String {
    guard text.contains("{@") || text.contains("{#") else { return text }
    var kept = ""
    var rest = text[...]
    while let brace = rest.firstIndex(of: "{") {
      let inside = rest[rest.index(after: brace)...]
      guard inside.hasPrefix("@") || inside.hasPrefix("#"), let end = inside.firstIndex(of: "}") else {
        kept += rest[...brace]
        rest = inside
        continue
      }
      kept += rest[..<brace]
      rest = rest[rest.index(after: end)...]
    }
    return kept + rest
  }
}

/// Pieces put together to lines.
struct LyricAssembly {
  private(set) var lines: [Lyrics.Line] = []
  private var isLinePending = true
  private var isParagraphPending = true
  private let hasBreaks: Bool

  init(_ pieces: [(piece: LyricPiece, seconds: Double)]) {
    hasBreaks = pieces.contains { if case .syllable = $0.piece { false } else { true } }
    for (piece, seconds) in pieces {
      switch piece {
      case .line: isLinePending = true
      case .paragraph: (isLinePending, isParagraphPending) = (true, true)
      case .syllable(let text): add(text, at: seconds)
      }
    }
    separateWords()
  }

  private mutating func add(_ text: String, at seconds: Double) {
    if isLinePending || beginsLine(at: seconds) {
      if text.allSatisfy(\.isWhitespace) { return }
      lines.append(Lyrics.Line(syllables: [], beginsParagraph: isParagraphPending))
      (isLinePending, isParagraphPending) = (false, false)
    }
    lines[lines.count - 1].syllables.append(Lyrics.Syllable(seconds: seconds, text: text))
  }

  /// Words made for notation have no line breaks: there a rest of two seconds is one, and twelve syllables are enough.
  private func beginsLine(at seconds: Double) -> Bool {
    guard !hasBreaks, let line = lines.last, let last = line.syllables.last else { return false }
    return seconds - last.seconds > 2 || line.syllables.count >= 12 && !last.text.hasSuffix("-")
  }

  /// Where spaces separate words, a hyphen at the end of a syllable is left out if most syllables that go on have one.
  /// Where there are no spaces, as notation programs write words, all syllables without a hyphen end a word.
  private mutating func separateWords() {
    var (joints, hyphens) = (0, 0)
    var isSpaced = false
    for line in lines {
      isSpaced = isSpaced || line.syllables.contains { $0.text.first == " " || $0.text.last == " " }
      for (syllable, next) in zip(line.syllables, line.syllables.dropFirst())
      where syllable.text.last != " " && next.text.first != " " {
        joints += 1
        if syllable.isHyphenated { hyphens += 1 }
      }
    }
    let leavesHyphensOut = !isSpaced || 2 * hyphens >= joints
    for line in lines.indices {
      for place in lines[line].syllables.indices.dropLast() {
        let next = lines[line].syllables[place + 1].text
        let isHyphenated = lines[line].syllables[place].isHyphenated
        if isHyphenated, leavesHyphensOut, next.first != " " {
          lines[line].syllables[place].text.removeLast()
        } else if !isSpaced, !isHyphenated, lines[line].syllables[place].isOfLetters {
          lines[line].syllables[place].text += " "
        }
      }
    }
  }
}

extension Lyrics.Syllable {
  fileprivate var isHyphenated: Bool { text.count > 1 && text.hasSuffix("-") }

  /// Whether it ends in a script that separates words; from U+2E80 on stand those of East Asia.
  fileprivate var isOfLetters: Bool { text.unicodeScalars.last.map { $0.value < 0x2E80 } ?? false }
}
