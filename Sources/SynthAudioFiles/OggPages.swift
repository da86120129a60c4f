/// The pages of an Ogg stream (RFC 3533), each with the stream number 1.
///
/// libsndfile numbers each stream at random. With a fixed number, the same audio always makes the same file.
struct OggPages {
  private static let headerLength = 27

  /// What has come of a page that is not whole.
  private var rest: [UInt8] = []

  /// Takes bytes of a stream, and returns the pages that they complete.
  mutating func numbered(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    rest += bytes
    var whole: [UInt8] = []
    while let length = Self.length(rest[...]) {
      whole += Self.numbered(rest[..<length])
      rest.removeFirst(length)
    }
    return whole
  }

  /// The length of the page at the start of bytes; nil unless all of it is there.
  private static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= headerLength else { return nil }
    let header = headerLength + Int(bytes[26])
    guard bytes.count >= header else { return nil }
    let length = header + bytes[headerLength..<header].reduce(0) { $0 + Int($1) }
    return bytes.count >= length ? length : nil
  }

  private static func numbered(_ page: ArraySlice<UInt8>) -> [UInt8] {
    var page = Array(page)
    page.replaceSubrange(14..<18, with: [1, 0, 0, 0])
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    let sum = page.reduce(UInt32(0)) { $0 << 8 ^ table[Int($0 >> 24) ^ Int($1)] }
    page.replaceSubrange(22..<26, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
    return page
  }

  /// The remainders of all bytes by the polynomial 0x04C11DB7.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { rest, _ in rest << 1 ^ (rest >> 31 == 1 ? 0x04C1_1DB7 : 0) }
  }
}
