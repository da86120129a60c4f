import SynthFiles
import SynthText

// Texts from outside as a terminal may show them: names of files, devices, songs and clients may hold anything.

/// A text in which a terminal finds nothing to interpret: control characters, line separators, and what changes the
/// direction of a text become escapes, as in `\n`, `\x1B` and `\u202E`, and so do bytes of names that are not UTF-8.
///
/// - Parameter lines: whether line breaks stay.
func visible(_ text: String, lines: Bool = false) -> String {
  func isHidden(_ scalar: Unicode.Scalar) -> Bool { scalar.isInterpretedByTerminals && !(lines && scalar == "\n") }
  guard text.unicodeScalars.contains(where: isHidden) else { return text }
  return text.unicodeScalars.map { isHidden($0) ? $0.visibleEscape : String($0) }.joined()
}

/// The same on one line: line breaks and tabs become blanks.
func oneLine(_ text: String) -> String { trimmed(visible(blankingBreaks(text) { _ in false })) }

/// A text on one line that is kept as data: all control characters become blanks.
func withoutControls(_ text: String) -> String { trimmed(blankingBreaks(text) { $0 == .control }) }

private func blankingBreaks(_ text: String, _ isBlank: (Unicode.GeneralCategory) -> Bool) -> String {
  let scalars = text.unicodeScalars.map { scalar in
    let properties = scalar.properties
    return properties.isWhitespace && scalar.isInterpretedByTerminals || isBlank(properties.generalCategory)
      ? " " : scalar
  }
  return String(String.UnicodeScalarView(scalars))
}

extension Unicode.Scalar {
  fileprivate var visibleEscape: String {
    switch self {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      let value = pathByte.map(UInt32.init) ?? value
      let digits = String(value, radix: 16, uppercase: true)
      return value < 0x100 ? "\\x\(value < 0x10 ? "0" : "")\(digits)" : "\\u\(digits)"
    }
  }
}
