@preconcurrency import Glibc

/// The characters that a terminal can show: all of Unicode, or ASCII alone.
struct Glyphs {
  /// Heights, from low to high.
  var sparks: [Character]
  /// A point that was asked for, on the line or off it.
  var asked: Character
  /// The achieved curve: flat within a column at the top, middle or bottom of its cell, or crossing it.
  var line: (top: Character, middle: Character, bottom: Character, upright: Character)
  var axis: Character, tick: Character, corner: Character, rule: Character, zero: Character

  static let unicode = Glyphs(
    sparks: Array("▁▂▃▄▅▆▇█"), asked: "●", line: ("▔", "─", "▁", "│"),
    axis: "│", tick: "┤", corner: "└", rule: "─", zero: "┄")

  static let ascii = Glyphs(
    sparks: Array("_.-=+*#@"), asked: "O", line: ("\"", "-", "_", "|"),
    axis: "|", tick: "+", corner: "+", rule: "-", zero: ".")

  /// What the locale of this process allows.
  static func ofLocale() -> Glyphs {
    // The first that is set and not empty decides, as POSIX says of locale categories.
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { (name: String) in
      getenv(name).map { String(cString: $0) }
    }
    let locale = variables.first { !$0.isEmpty }?.uppercased() ?? ""
    return locale.contains("UTF-8") || locale.contains("UTF8") ? .unicode : .ascii
  }

  /// A text in these characters; without Unicode dashes, arrows and the like become what is near them, and what is left
  /// a question mark.
  func plain(_ text: String) -> String {
    guard asked == Glyphs.ascii.asked else { return text }
    let likenesses: [Character: Character] = ["−": "-", "–": "-", "…": ".", "→": ">", "←": "<", "×": "x"]
    return String(text.map { $0.isASCII ? $0 : likenesses[$0] ?? "?" })
  }
}
