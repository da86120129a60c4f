// Text in columns of a terminal, where East Asian characters take two.

/// The columns that a text takes; a character with marks on it takes no more than without.
func columns(_ text: String) -> Int {
  text.reduce(0) { sum, character in
    sum + (character.unicodeScalars.lazy.map(columns).max() ?? 0)
  }
}

private func columns(_ scalar: Unicode.Scalar) -> Int {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: 0
  default: isWide(scalar) ? 2 : 1
  }
}

/// Whether a scalar is wide or full-width in Unicode's EastAsianWidth, in whole blocks.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
    true
  default: false
  }
}

/// A text filled up with blanks behind or before it.
func padded(_ text: String, _ width: Int, atEnd: Bool = true) -> String {
  let blanks = String(repeating: " ", count: max(0, width - columns(text)))
  return atEnd ? text + blanks : blanks + text
}

/// The beginning of a text that takes at most so many columns.
func prefix(_ text: String, ofColumns width: Int) -> String {
  var (part, used) = ("", 0)
  for character in text {
    used += columns(String(character))
    if used > width { break }
    part.append(character)
  }
  return part
}

/// The end of a text that takes at most so many columns.
func suffix(_ text: String, ofColumns width: Int) -> String {
  var (rest, used) = (text[...], columns(text))
  while used > width, let character = rest.popFirst() { used -= columns(String(character)) }
  return String(rest)
}

/// Words in lines of at most `width` columns; a word that is longer is cut.
func filled(_ text: String, _ width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ", omittingEmptySubsequences: false) {
    var word = visible(String(word))
    if !line.isEmpty, columns(line) + 1 + columns(word) > width {
      lines.append(line)
      line = ""
    } else if !line.isEmpty {
      word = " " + word
    } else if lines.isEmpty, word.isEmpty {
      word = " "
    }
    line += word
    if columns(line) > width {
      lines += cut(line, width)
      line = lines.removeLast()
    }
  }
  return lines + [line]
}

/// A text in pieces of at most `width` columns, the last of them perhaps shorter.
private func cut(_ text: String, _ width: Int) -> [String] {
  var pieces: [String] = []
  var (piece, used) = ("", 0)
  for character in text {
    let count = columns(String(character))
    if used + count > width {
      pieces.append(piece)
      (piece, used) = ("", 0)
    }
    piece.append(character)
    used += count
  }
  return pieces + [piece]
}

/// Without blanks at the end.
func trimmed(_ text: String) -> String { String(text.reversed().drop { $0 == " " }.reversed()) }
