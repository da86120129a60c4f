// A command's words: blanks stand between them, and quotation marks around a word that has blanks itself.

extension CommandWords {
  /// A mark counts only where a word begins and ends with it, so that names may have them within.
  static func split(_ text: String) -> [String] {
    var words: [String] = []
    var rest = text.drop { $0.isWhitespace }
    while let first = rest.first {
      if isMark(first), let end = end(ofQuoted: rest) {
        words.append(String(rest[rest.index(after: rest.startIndex)..<end]))
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        words.append(String(word))
        rest = rest[word.endIndex...]
      }
      rest = rest.drop { $0.isWhitespace }
    }
    return words
  }

  /// The words that are complete, and what has been typed of the next one, its opening mark included.
  static func begun(_ text: String) -> (words: [String], last: String) {
    var start = text.startIndex
    var rest = text.drop { $0.isWhitespace }
    while let first = rest.first {
      start = rest.startIndex
      if isMark(first), let end = end(ofQuoted: rest) {
        rest = rest[rest.index(after: end)...]
      } else if isMark(first) {
        return (split(String(text[..<start])), String(rest))
      } else {
        rest = rest.drop { !$0.isWhitespace }
      }
      if rest.isEmpty { return (split(String(text[..<start])), String(text[start...])) }
      rest = rest.drop { $0.isWhitespace }
    }
    return (split(text), "")
  }

  /// A name as it is typed: in quotation marks where it has blanks.
  static func quoted(_ name: String) -> String {
    name.isEmpty || name.contains(where: \.isWhitespace) ? "\"\(name)\"" : name
  }

  /// What the text behind the last blank becomes where a word that has been begun is completed to `name`; nil where it
  /// does not begin so.
  static func completion(_ name: String, of begun: String) -> String? {
    let mark = begun.first.flatMap { isMark($0) ? $0 : nil }
    guard name.hasPrefix(begun.dropFirst(mark == nil ? 0 : 1)) else { return nil }
    guard mark != nil || name.contains(where: \.isWhitespace) else { return name }
    let shown = mark ?? "\""
    // A directory is not the end of a path.
    let word = "\(shown)\(name)" + (name.hasSuffix("/") ? "" : String(shown))
    guard let blank = begun.lastIndex(where: \.isWhitespace) else { return word }
    return String(word.dropFirst(begun[...blank].count))
  }

  private static func isMark(_ character: Character) -> Bool { character == "\"" || character == "'" }

  /// Where the mark is that ends the word that begins with one; nil for none.
  private static func end(ofQuoted text: Substring) -> Substring.Index? {
    guard let mark = text.first else { return nil }
    var index = text.index(after: text.startIndex)
    while index < text.endIndex {
      let next = text.index(after: index)
      if text[index] == mark, next == text.endIndex || text[next].isWhitespace { return index }
      index = next
    }
    return nil
  }
}
