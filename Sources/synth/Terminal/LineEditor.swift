/// The line a person types: what keys do to it, without a terminal.
struct LineEditor {
  /// What the keys of a line have come to.
  enum Outcome: Equatable {
    /// Enter: the line is done, and the next one begins.
    case line(String)
    /// Tab, where there is more than one way on.
    case choices([String])
    /// A key that acts at once, because no command begins with it: nothing had been typed.
    case key(Key)
  }

  /// Keys that act at once.
  enum Key: Equatable {
    case space, left, right, pageUp, pageDown, plus, minus
    /// v
    case view
  }

  private enum Escape {
    case none, begun, sequence, single
  }

  /// Longer than any command.
  private static let limit = 512

  /// What was typed before, the oldest first.
  var past: [String] = []
  /// The line of these that the arrow keys have come to, and what had been typed before.
  private var recalled: (place: Int, draft: [UInt8])?
  private var bytes: [UInt8] = []
  private var escape = Escape.none
  /// The first character between ESC [ and the letter.
  private var parameter: UInt8?

  /// What has been typed so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Takes the bytes that a terminal sent at once.
  ///
  /// - Parameter completions: the words that the last word of a text can become.
  mutating func type(_ keys: some Sequence<UInt8>, completions: (String) -> [String]) -> [Outcome] {
    let outcomes = keys.compactMap { type($0, completions) }
    // Nothing followed: it was the key, and not the beginning of what another key sends.
    if escape == .begun {
      bytes = []
      escape = .none
    }
    return outcomes
  }

  private mutating func type(_ key: UInt8, _ completions: (String) -> [String]) -> Outcome? {
    guard escape == .none else { return follow(key).map(Outcome.key) }
    switch key {
    case UInt8(ascii: " ") where bytes.isEmpty: return .key(.space)
    case UInt8(ascii: "+") where bytes.isEmpty: return .key(.plus)
    case UInt8(ascii: "-") where bytes.isEmpty: return .key(.minus)
    case UInt8(ascii: "v") where bytes.isEmpty: return .key(.view)
    case 0x0A, 0x0D:
      defer { (bytes, recalled) = ([], nil) }
      return .line(text)
    case 0x09: return complete(completions(text))
    case 0x08, 0x7F: bytes = Array(text.dropLast().utf8)
    case 0x15: bytes = []
    case 0x1B: escape = .begun
    case 0x20...: if bytes.count < Self.limit { bytes.append(key) }
    default: break
    }
    return nil
  }

  /// What arrow and function keys send: ESC [ … letter or tilde, or ESC O letter (ECMA-48, section 5.4).
  ///
  /// - Returns: a key that acts at once, where nothing is typed.
  private mutating func follow(_ key: UInt8) -> Key? {
    switch (escape, key) {
    case (.begun, UInt8(ascii: "[")): (escape, parameter) = (.sequence, nil)
    case (.begun, UInt8(ascii: "O")): (escape, parameter) = (.single, nil)
    case (.sequence, 0x20...0x3F): parameter = parameter ?? key
    case (.begun, _): escape = .none
    default:
      escape = .none
      return end(of: key)
    }
    return nil
  }

  private mutating func end(of key: UInt8) -> Key? {
    switch (key, parameter) {
    case (UInt8(ascii: "A"), _): recall(-1)
    case (UInt8(ascii: "B"), _): recall(1)
    case _ where !bytes.isEmpty: return nil
    case (UInt8(ascii: "C"), _): return .right
    case (UInt8(ascii: "D"), _): return .left
    case (UInt8(ascii: "~"), UInt8(ascii: "5")): return .pageUp
    case (UInt8(ascii: "~"), UInt8(ascii: "6")): return .pageDown
    default: break
    }
    return nil
  }

  /// Goes to an earlier line, or a later one; behind the last is what had been typed.
  private mutating func recall(_ step: Int) {
    let (place, draft) = recalled ?? (past.count, bytes)
    let next = min(place + step, past.count)
    guard next >= 0, next != place else { return }
    bytes = next < past.count ? Array(past[next].utf8) : draft
    recalled = next < past.count ? (next, draft) : nil
  }

  private mutating func complete(_ words: [String]) -> Outcome? {
    guard var common = words.first else { return nil }
    for word in words { common = String(zip(common, word).prefix { $0 == $1 }.map(\.0)) }
    let begun = text.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
    if words.count > 1, common.count <= begun.count { return .choices(words) }
    // Behind a directory its path goes on.
    let isWhole = words.count == 1 && !common.hasSuffix("/")
    bytes = Array((text.dropLast(begun.count) + common + (isWhole ? " " : "")).utf8)
    return nil
  }
}
