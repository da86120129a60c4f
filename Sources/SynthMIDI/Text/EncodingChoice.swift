/// Decides how texts are encoded: of all encodings in which they could be, the one in which they are likeliest to have
/// been written, by how often letters follow each other in the languages that it is used for.
///
/// `Tests/encodings` writes the tables from word lists and measures how often the choice is right.
struct EncodingChoice {
  /// An encoding with the languages that are written in it.
  private struct Candidate {
    let encoding: TextEncoding
    /// How much rarer its files are than others, in bits.
    let rarity: Float
    var letters: [LetterTable] = []
    var ideographs: [IdeographTable] = []
  }

  private static let candidates: [Candidate] = [
    Candidate(encoding: .windows1252, rarity: 0, letters: LetterTable.western),
    Candidate(encoding: .shiftJIS, rarity: 0, ideographs: [.ja]),
    Candidate(encoding: .windows1251, rarity: 0, letters: [.ru, .uk, .bg]),
    // The likelier one of its two languages counts.
    Candidate(encoding: .gb18030, rarity: 0.5, ideographs: [.zhHans, .zhHant]),
    Candidate(encoding: .eucJP, rarity: -0.5, ideographs: [.ja]),
    Candidate(encoding: .big5, rarity: 1, ideographs: [.zhHant]),
    Candidate(encoding: .eucKR, rarity: 1, ideographs: [.ko]),
    Candidate(encoding: .windows1250, rarity: 2, letters: [.pl, .cs, .sk, .hu, .ro, .hr, .sl]),
    Candidate(encoding: .windows1253, rarity: 3, letters: [.el]),
    Candidate(encoding: .windows1254, rarity: 3, letters: [.tr]),
    Candidate(encoding: .windows1255, rarity: 3, letters: [.he]),
    Candidate(encoding: .windows1256, rarity: 3, letters: [.ar]),
    Candidate(encoding: .windows1257, rarity: 3, letters: [.lt, .lv, .et]),
    Candidate(encoding: .windows1258, rarity: 3, letters: [.vi]),
    Candidate(encoding: .koi8R, rarity: 3, letters: [.ru]),
    Candidate(encoding: .latin9, rarity: 6, letters: LetterTable.western),
  ]

  /// More says nothing new.
  private static let judgedByteCount = 4096

  /// - Parameter texts: those beyond ASCII; at least one.
  static func encoding(of texts: some Sequence<ArraySlice<UInt8>>) -> TextEncoding {
    var judged: [ArraySlice<UInt8>] = []
    var left = judgedByteCount
    for text in texts where left > 0 {
      judged.append(text.prefix(left))
      left -= text.count
    }
    let costs = candidates.lazy.map { (encoding: $0.encoding, bits: bits(of: judged, $0)) }
    return costs.min { $0.bits < $1.bits }?.encoding ?? .windows1252
  }

  /// How unlikely the texts are in an encoding: -log2 of it, in the likeliest of its languages.
  private static func bits(of texts: [ArraySlice<UInt8>], _ candidate: Candidate) -> Float {
    guard let converter = TextConverter(from: candidate.encoding.iconvName) else { return .infinity }
    let strings = texts.map { Array(converter.string($0).unicodeScalars) }
    let bits =
      candidate.letters.map { $0.bits(of: strings) } + candidate.ideographs.map { $0.bits(of: strings) }
    return candidate.rarity + (bits.min() ?? .infinity)
  }
}

/// The texts by which an encoding is decided: those beyond ASCII, and the syllables beside them.
private struct JudgedTexts {
  private(set) var texts: [ArraySlice<UInt8>] = []
  private var before: ArraySlice<UInt8>?
  private var isBehindText = false

  /// Longer texts are no syllables, and titles in another language would mislead.
  private static let longestSyllable = 8

  mutating func add(_ text: ArraySlice<UInt8>) {
    texts += (before.map { [$0] } ?? []) + [text]
    (before, isBehindText) = (nil, true)
  }

  mutating func addASCII(_ text: ArraySlice<UInt8>) {
    let isSyllable = text.count <= Self.longestSyllable
    if isBehindText, isSyllable { texts.append(text) }
    before = isSyllable && !isBehindText ? text : nil
    isBehindText = false
  }
}

extension Unicode.Scalar {
  /// Whether no text has it: what iconv could not read, a control character, or one without a meaning.
  var isNoText: Bool {
    value == 0xFFFD || (0x80..<0xA0).contains(value) || (0xE000..<0xF900).contains(value)
  }
}

extension TextEncoding {
  /// The encoding of the texts of one file, judged together: a syllable alone says little. Nil where all are ASCII.
  ///
  /// - A text that begins with `{@JP}` or `{@LATIN}` says it (RP-026, "SMF Language and Display Extensions").
  /// - One that begins with a byte order mark is Unicode; one with the escape sequence of ISO-2022-JP is that.
  /// - UTF-8, if at least half of the texts beyond ASCII are valid UTF-8, which others hardly ever are by chance.
  /// - Otherwise what `EncodingChoice` finds likeliest.
  public init?(of texts: some Sequence<ArraySlice<UInt8>>) {
    var (count, validCount) = (0, 0)
    var judged = JudgedTexts()
    var named: TextEncoding?
    var marked: TextEncoding?
    for text in texts {
      if text.starts(with: "{@JP}".utf8) { named = .shiftJIS }
      if text.starts(with: "{@LATIN}".utf8) { named = .windows1252 }
      if let encoding = ByteOrderMark(of: text)?.encoding {
        marked = marked ?? encoding
      } else if Self.isISO2022JP(text) {
        marked = marked ?? .iso2022JP
      } else if text.contains(where: { $0 >= 0x80 }) {
        count += 1
        if Self.isUTF8(text) { validCount += 1 } else { judged.add(text) }
      } else {
        judged.addASCII(text)
      }
    }
    guard count > 0 || marked != nil else { return nil }
    self =
      named ?? (count == 0 ? marked : nil)
      ?? (2 * validCount >= count ? .utf8 : EncodingChoice.encoding(of: judged.texts))
  }

  /// Whether a text is valid UTF-8, and not Chinese characters of two bytes that happen to be: these read as marks, or
  /// as letters of phonetics and of few languages, without a letter of ASCII.
  private static func isUTF8(_ text: ArraySlice<UInt8>) -> Bool {
    guard let string = String(validating: text, as: UTF8.self) else { return false }
    let hasLetters = text.contains { (0x61...0x7A).contains($0 | 0x20) }
    return hasLetters
      || !string.unicodeScalars.contains { (0x180...0x36F).contains($0.value) || (0x590...0x5CF).contains($0.value) }
  }

  /// Whether a text of seven bits changes to the Japanese characters and back.
  private static func isISO2022JP(_ text: ArraySlice<UInt8>) -> Bool {
    guard let escape = text.firstIndex(of: 0x1B), !text.contains(where: { $0 >= 0x80 }) else { return false }
    let sequence = text[escape...].dropFirst().prefix(2)
    return sequence.elementsEqual("$B".utf8) || sequence.elementsEqual("$@".utf8)
  }
}
