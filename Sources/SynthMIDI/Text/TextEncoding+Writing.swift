import Glibc

extension TextEncoding {
  /// A text in this encoding; nil if it has characters that the encoding has not.
  public func bytes(of text: String) -> [UInt8]? {
    let utf8 = Array(text.utf8)
    if self == .utf8 || utf8.allSatisfy({ $0 < 0x80 }) { return utf8 }
    guard let descriptor = iconv_open(name, "UTF-8"), descriptor != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(descriptor) }
    var source = utf8.map { CChar(bitPattern: $0) }
    // No character takes more bytes than in UTF-8.
    var target = [CChar](repeating: 0, count: utf8.count)
    let count = source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target -> Int? in
        var (input, output) = (source.baseAddress, target.baseAddress)
        var (inputLeft, outputLeft) = (source.count, target.count)
        // A positive number tells of characters that were replaced.
        guard iconv(descriptor, &input, &inputLeft, &output, &outputLeft) == 0 else { return nil }
        return target.count - outputLeft
      }
    }
    return count.map { target.prefix($0).map { UInt8(bitPattern: $0) } }
  }
}
