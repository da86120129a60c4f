/// How the texts of a MIDI file are encoded.
///
/// The standard knows ASCII only, so it is detected: see `init(of:)`.
public enum TextEncoding: String, CaseIterable, Sendable {
  /// Unicode, of which ASCII is a part.
  case utf8 = "UTF-8"
  /// Western European: Latin-1 and the quotation marks and letters of Windows beside it.
  case windows1252 = "Windows-1252"
  /// Japanese, as Windows extends it (code page 932).
  case shiftJIS = "Shift-JIS"
  /// Cyrillic.
  case windows1251 = "Windows-1251"

  /// The encoding of the texts of one file, judged together: a syllable alone says little. Nil where all are ASCII.
  ///
  /// - A text that begins with `{@JP}` or `{@LATIN}` says it (RP-026, "SMF Language and Display Extensions").
  /// - UTF-8, if at least half of the texts beyond ASCII are valid UTF-8, which others hardly ever are by chance.
  /// - Otherwise pairs of neighbouring bytes are counted. In Cyrillic, letters beyond ASCII stand beside each other; in
  ///   Western texts they stand beside ASCII letters; in Japanese most characters are kana, whose first byte is no
  ///   letter in the other two.
  public init?(of texts: some Sequence<ArraySlice<UInt8>>) {
    var (count, validCount) = (0, 0)
    var evidence = Evidence()
    var named: TextEncoding?
    for text in texts {
      if text.starts(with: "{@JP}".utf8) { named = .shiftJIS }
      if text.starts(with: "{@LATIN}".utf8) { named = .windows1252 }
      guard text.contains(where: { $0 >= 0x80 }) else { continue }
      count += 1
      if String(validating: text, as: UTF8.self) != nil { validCount += 1 } else { evidence.add(text) }
    }
    guard count > 0 else { return nil }
    self = named ?? (2 * validCount >= count ? .utf8 : evidence.encoding)
  }

  /// The likeliest encoding of a text that is not valid UTF-8.
  init(ofNonUTF8 text: ArraySlice<UInt8>) {
    var evidence = Evidence()
    evidence.add(text)
    self = evidence.encoding
  }
}

/// Points for each encoding other than UTF-8.
private struct Evidence {
  private var western = 0
  private var cyrillic = 0
  private var japanese = 0

  var encoding: TextEncoding {
    if japanese > max(western, cyrillic) { return .shiftJIS }
    return cyrillic > western ? .windows1251 : .windows1252
  }

  mutating func add(_ text: ArraySlice<UInt8>) {
    for (a, b) in zip(text, text.dropFirst()) {
      if isCyrillic(a), isCyrillic(b) { cyrillic += 1 }
      if isWestern(a) && isASCIILetter(b) || isASCIILetter(a) && isWestern(b) { western += 1 }
    }
    addJapanese(text)
  }

  private mutating func addJapanese(_ text: ArraySlice<UInt8>) {
    var rest = text
    while let lead = rest.popFirst() {
      switch lead {
      case 0xB1...0xBF: japanese += 1  // Half of the half-width kana; the other half are Cyrillic capitals.
      case 0x81...0x9F, 0xE0...0xFC:
        guard let trail = rest.popFirst(), trail >= 0x40, trail != 0x7F, trail <= 0xFC else {
          japanese -= 2
          continue
        }
        japanese += worth(of: lead, trail)
      default: break
      }
    }
  }

  private func worth(of lead: UInt8, _ trail: UInt8) -> Int {
    switch (lead, trail) {
    case (0x82, 0x9F...0xF1), (0x83, 0x40...0x96): 2  // kana
    case (0x81, _): 1  // punctuation; 81 is nothing in Windows-1252 and rare in 1251
    // Common kanji. With an ASCII letter behind it, the byte may be a quotation mark of Windows-1252: "it's".
    case (0x88...0x9F, 0x80...): 1
    case (0xE0...0xEF, _): -1  // rare kanji, but common letters in both of the others
    case (0xF0..., _): -2  // not assigned by the standard
    default: 0
    }
  }

  private func isASCIILetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// Letters and the apostrophe.
  private func isWestern(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xD7, 0xF7: false
    case 0xC0..., 0x8A, 0x8C, 0x8E, 0x92, 0x9A, 0x9C, 0x9E, 0x9F: true
    default: false
    }
  }

  /// Russian letters, and those that Ukrainian and Belarusian have beside them.
  private func isCyrillic(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xC0..., 0xA1, 0xA2, 0xA5, 0xA8, 0xAA, 0xAF, 0xB2...0xB4, 0xB8, 0xBA, 0xBF: true
    default: false
    }
  }
}
