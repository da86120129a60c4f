/// How the texts of a MIDI file are encoded.
///
/// The standard knows ASCII only, so the encoding is decided from all texts of a file together: see `init(of:)`.
public enum TextEncoding: String, CaseIterable, Sendable {
  /// Unicode, of which ASCII is a part.
  case utf8 = "UTF-8"
  /// Western European: Latin-1 and the quotation marks and letters of Windows beside it.
  case windows1252 = "Windows-1252"
  /// Japanese, as Windows extends it (code page 932).
  case shiftJIS = "Shift-JIS"
  /// Cyrillic.
  case windows1251 = "Windows-1251"
  /// Unicode in units of two bytes; of the low byte first where no mark says otherwise.
  case utf16 = "UTF-16"
  /// Unicode in units of four bytes; of the low byte first where no mark says otherwise.
  case utf32 = "UTF-32"
  /// Japanese, as Unix has it.
  case eucJP = "EUC-JP"
  /// Japanese in seven bits, with escape sequences.
  case iso2022JP = "ISO-2022-JP"
  /// Chinese, mostly simplified; GBK and GB 2312 are parts of it.
  case gb18030 = "GB18030"
  /// Chinese, traditional, with the characters of Hong Kong.
  case big5 = "Big5"
  /// Korean, as Windows extends it (code page 949).
  case eucKR = "EUC-KR"
  /// Central European.
  case windows1250 = "Windows-1250"
  /// Greek.
  case windows1253 = "Windows-1253"
  /// Turkish.
  case windows1254 = "Windows-1254"
  /// Hebrew.
  case windows1255 = "Windows-1255"
  /// Arabic.
  case windows1256 = "Windows-1256"
  /// Baltic.
  case windows1257 = "Windows-1257"
  /// Vietnamese.
  case windows1258 = "Windows-1258"
  /// Russian, as Unix had it.
  case koi8R = "KOI8-R"
  /// Western European: Latin-9, with the euro sign and the French letters that Latin-1 lacks.
  case latin9 = "ISO-8859-15"

  /// The encoding of a name as people write it, such as "utf-8", "sjis", "cp1250" or "latin1"; nil for an unknown one.
  public init?(named name: String) {
    func folded(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
    let name = folded(name)
    let code = name.hasPrefix("cp") ? "windows" + name.dropFirst(2) : name
    let known = Self.allCases.first { folded($0.rawValue) == code } ?? Self.aliases[name]
    guard let known else { return nil }
    self = known
  }

  private static let aliases: [String: TextEncoding] = [
    "sjis": .shiftJIS, "cp932": .shiftJIS, "windows31j": .shiftJIS, "gbk": .gb18030, "gb2312": .gb18030,
    "cp936": .gb18030, "big5hkscs": .big5, "cp950": .big5, "cp949": .eucKR, "uhc": .eucKR, "latin1": .windows1252,
    "iso88591": .windows1252, "latin9": .latin9, "utf16le": .utf16, "utf32le": .utf32,
  ]

  /// As iconv(3) knows it.
  var iconvName: String {
    switch self {
    case .shiftJIS: "CP932"
    case .big5: "BIG5-HKSCS"
    case .eucKR: "CP949"
    case .utf16: "UTF-16LE"
    case .utf32: "UTF-32LE"
    default: rawValue
    }
  }
}
