import Glibc

/// Converts texts of one encoding by iconv(3), whose tables are files.
final class TextConverter {
  private let descriptor: iconv_t

  /// Nil where iconv does not know the encoding.
  init?(from encoding: String) {
    guard let descriptor = iconv_open("UTF-8", encoding), descriptor != iconv_t(bitPattern: -1) else { return nil }
    self.descriptor = descriptor
  }

  deinit { iconv_close(descriptor) }

  /// A text, with U+FFFD for each byte that means nothing.
  func string(_ bytes: ArraySlice<UInt8>) -> String {
    var source = bytes.map { CChar(bitPattern: $0) }
    // A byte becomes at most three: half-width kana, and U+FFFD. The rest is for what iconv holds back until the end.
    var target = [CChar](repeating: 0, count: 3 * bytes.count + 16)
    let count = source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        var (input, output) = (source.baseAddress, target.baseAddress)
        var (inputLeft, outputLeft) = (source.count, target.count)
        iconv(descriptor, nil, nil, nil, nil)
        while iconv(descriptor, &input, &inputLeft, &output, &outputLeft) == -1, inputLeft > 0, outputLeft >= 3 {
          for byte in [0xEF, 0xBF, 0xBD] as [UInt8] {
            output?.pointee = CChar(bitPattern: byte)
            output = output?.advanced(by: 1)
          }
          input = input?.advanced(by: 1)
          (inputLeft, outputLeft) = (inputLeft - 1, outputLeft - 3)
        }
        iconv(descriptor, nil, nil, &output, &outputLeft)
        return target.count - outputLeft
      }
    }
    return String(decoding: target.prefix(count).lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// What a text of Unicode may begin with, by which the order of its bytes is known.
struct ByteOrderMark {
  let encoding: TextEncoding
  /// As iconv knows it.
  let iconvName: String
  let byteCount: Int

  /// Nil where a text begins with none.
  init?(of text: ArraySlice<UInt8>) {
    let isWhole = text.count > 2 && text.count.isMultiple(of: 2)
    switch Array(text.prefix(4)) {
    case [0xFF, 0xFE, 0, 0]: self.init(encoding: .utf32, iconvName: "UTF-32LE", byteCount: 4)
    case [0, 0, 0xFE, 0xFF]: self.init(encoding: .utf32, iconvName: "UTF-32BE", byteCount: 4)
    // In other encodings these are letters, of which a syllable may have no others.
    case let bytes where bytes.starts(with: [0xFF, 0xFE]) && isWhole:
      self.init(encoding: .utf16, iconvName: "UTF-16LE", byteCount: 2)
    case let bytes where bytes.starts(with: [0xFE, 0xFF]) && isWhole:
      self.init(encoding: .utf16, iconvName: "UTF-16BE", byteCount: 2)
    case let bytes where bytes.starts(with: [0xEF, 0xBB, 0xBF]):
      self.init(encoding: .utf8, iconvName: "UTF-8", byteCount: 3)
    default: return nil
    }
  }

  private init(encoding: TextEncoding, iconvName: String, byteCount: Int) {
    (self.encoding, self.iconvName, self.byteCount) = (encoding, iconvName, byteCount)
  }
}
