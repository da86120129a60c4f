import Glibc

extension TextEncoding {
  /// A text in this encoding; nil if it has characters that the encoding has not.
  public func bytes(of text: String) -> [UInt8]? {
    let utf8 = Array(text.utf8)
    let isWide = self == .utf16 || self == .utf32
    if self == .utf8 || !isWide && utf8.allSatisfy({ $0 < 0x80 }) { return utf8 }
    guard let descriptor = iconv_open(iconvName, "UTF-8"), descriptor != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(descriptor) }
    var source = utf8.map { CChar(bitPattern: $0) }
    // UTF-32 takes four bytes where UTF-8 may take one; escape sequences take three before and behind.
    var target = [CChar](repeating: 0, count: 8 * utf8.count + 8)
    let count = source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target -> Int? in
        var (input, output) = (source.baseAddress, target.baseAddress)
        var (inputLeft, outputLeft) = (source.count, target.count)
        // A positive number tells of characters that were replaced.
        guard iconv(descriptor, &input, &inputLeft, &output, &outputLeft) == 0,
          iconv(descriptor, nil, nil, &output, &outputLeft) == 0
        else { return nil }
        return target.count - outputLeft
      }
    }
    // A reader knows them by the mark.
    let mark: [UInt8] = self == .utf16 ? [0xFF, 0xFE] : self == .utf32 ? [0xFF, 0xFE, 0, 0] : []
    return count.map { mark + target.prefix($0).map { UInt8(bitPattern: $0) } }
  }
}
