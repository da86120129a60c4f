import Glibc

/// Reads the texts of one file.
public struct TextDecoder: Sendable {
  /// Nil where all texts are ASCII.
  public let encoding: TextEncoding?
  /// What iconv calls it.
  private let name: String?

  init(encoding: TextEncoding?) { (self.encoding, name) = (encoding, encoding?.name) }

  /// - Parameter texts: all texts of the file.
  public init(_ texts: some Sequence<ArraySlice<UInt8>>) { self.init(encoding: TextEncoding(of: texts)) }

  /// - Parameter label: how a file says its texts are encoded, such as "utf-8" or "windows-1250"; those that are not
  ///   known are not believed.
  init(_ texts: some Sequence<ArraySlice<UInt8>>, named label: String?) {
    let label = label?.lowercased().replacing("_", with: "-")
    let known = TextEncoding.allCases.first { $0.rawValue.lowercased() == label }
    let other = label.flatMap { Self.others.contains($0) ? $0 : nil }
    encoding = known ?? (other == nil ? TextEncoding(of: texts) : nil)
    name = other ?? encoding?.name
  }

  /// Those of the "SF2 RMIDI Specification" that are not detected.
  private static let others: Set<String> = [
    "windows-1250", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258",
  ]

  /// A text without control characters other than line feed, carriage return and tab, so that a file cannot send
  /// escape sequences to a terminal. A text that is not valid in a file of UTF-8 is read in what it seems to be.
  public func string(_ bytes: ArraySlice<UInt8>) -> String {
    let text =
      switch name {
      case nil, TextEncoding.utf8.name:
        String(validating: bytes, as: UTF8.self) ?? converted(bytes, TextEncoding(ofNonUTF8: bytes).name)
      case .some(let name): converted(bytes, name)
      }
    let kept = text.unicodeScalars.filter {
      $0.properties.generalCategory != .control || $0 == "\n" || $0 == "\r" || $0 == "\t"
    }
    return String(kept)
  }

  /// The text by iconv(3), with U+FFFD for each byte that means nothing; where iconv does not know the encoding (its
  /// tables are files), as Latin-1.
  private func converted(_ bytes: ArraySlice<UInt8>, _ encoding: String) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    guard let descriptor = iconv_open("UTF-8", encoding), descriptor != iconv_t(bitPattern: -1) else {
      return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
    defer { iconv_close(descriptor) }
    var source = bytes.map { CChar(bitPattern: $0) }
    // A byte becomes at most three: half-width kana, and U+FFFD.
    var target = [CChar](repeating: 0, count: 3 * bytes.count)
    let count = source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        var (input, output) = (source.baseAddress, target.baseAddress)
        var (inputLeft, outputLeft) = (source.count, target.count)
        while iconv(descriptor, &input, &inputLeft, &output, &outputLeft) == -1, inputLeft > 0, outputLeft >= 3 {
          for byte in [0xEF, 0xBF, 0xBD] as [UInt8] {
            output?.pointee = CChar(bitPattern: byte)
            output = output?.advanced(by: 1)
          }
          input = input?.advanced(by: 1)
          (inputLeft, outputLeft) = (inputLeft - 1, outputLeft - 3)
        }
        return target.count - outputLeft
      }
    }
    return String(decoding: target.prefix(count).lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension TextEncoding {
  /// As iconv knows it; Windows puts a few characters of everyday use where the standard's Shift-JIS has gaps.
  var name: String { self == .shiftJIS ? "CP932" : rawValue }
}
