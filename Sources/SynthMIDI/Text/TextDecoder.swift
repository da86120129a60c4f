/// Reads the texts of one file.
public struct TextDecoder: Sendable {
  /// Nil where all texts are ASCII.
  public let encoding: TextEncoding?

  init(encoding: TextEncoding?) { self.encoding = encoding }

  /// - Parameter texts: all texts of the file.
  public init(_ texts: some Sequence<ArraySlice<UInt8>>) { self.init(encoding: TextEncoding(of: texts)) }

  /// - Parameter label: how a file says its texts are encoded, such as "utf-8" or "windows-1250"; those that are not
  ///   known are not believed.
  init(_ texts: some Sequence<ArraySlice<UInt8>>, named label: String?) {
    encoding = label.flatMap { TextEncoding(named: $0) } ?? TextEncoding(of: texts)
  }

  /// A text without control characters other than line feed, carriage return and tab, so that a file cannot send
  /// escape sequences to a terminal. A text with a byte order mark is read by it; one that is not valid in a file of
  /// UTF-8 is read in what it seems to be.
  public func string(_ bytes: ArraySlice<UInt8>) -> String {
    let kept = converted(bytes).unicodeScalars.filter {
      $0.properties.generalCategory != .control || $0 == "\n" || $0 == "\r" || $0 == "\t"
    }
    return String(kept)
  }

  private func converted(_ bytes: ArraySlice<UInt8>) -> String {
    if let mark = ByteOrderMark(of: bytes) { return converted(bytes.dropFirst(mark.byteCount), mark.iconvName) }
    switch encoding {
    case .iso2022JP?: return converted(bytes, TextEncoding.iso2022JP.iconvName)
    // Beside texts with a mark stand some of ASCII.
    case .utf16?, .utf32?:
      if bytes.allSatisfy({ (1..<0x80).contains($0) }) { return String(decoding: bytes, as: UTF8.self) }
      return converted(bytes, encoding?.iconvName ?? "")
    case _ where bytes.allSatisfy { $0 < 0x80 }: return String(decoding: bytes, as: UTF8.self)
    case .utf8?, nil:
      return String(validating: bytes, as: UTF8.self)
        ?? converted(bytes, EncodingChoice.encoding(of: CollectionOfOne(bytes)).iconvName)
    case .some(let encoding): return converted(bytes, encoding.iconvName)
    }
  }

  /// The text by iconv(3), or where it does not know the encoding as Latin-1.
  private func converted(_ bytes: ArraySlice<UInt8>, _ name: String) -> String {
    TextConverter(from: name)?.string(bytes) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
