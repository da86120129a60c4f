import Glibc

/// The pages of an Ogg file (RFC 3533).
///
/// libsndfile numbers each stream at random. With a fixed number, the same audio always makes the same file.
enum OggPages {
  private static let headerLength = 27

  /// Gives all pages the stream number 1, and their checksums.
  static func number(_ sink: FileSink) {
    var page = [UInt8](repeating: 0, count: headerLength + 255 + 255 * 255)
    var start = 0
    while sink.failure == 0, sink.seek(start, from: SEEK_SET) == start, let length = read(&page, from: sink) {
      page.replaceSubrange(14..<18, with: [1, 0, 0, 0])
      page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
      let sum = checksum(page[..<length])
      page.replaceSubrange(22..<26, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
      _ = sink.seek(start, from: SEEK_SET)
      sink.write(Array(page[..<headerLength]))
      start += length
    }
    _ = sink.seek(0, from: SEEK_END)
  }

  /// Reads the next page: its length, or nil at the end.
  private static func read(_ page: inout [UInt8], from sink: FileSink) -> Int? {
    page.withUnsafeMutableBytes { page -> Int? in
      guard let base = page.baseAddress, sink.read(base, count: headerLength) == headerLength,
        page.starts(with: Array("OggS".utf8))
      else { return nil }
      let segmentCount = Int(page[26])
      guard sink.read(base + headerLength, count: segmentCount) == segmentCount else { return nil }
      let header = headerLength + segmentCount
      let body = page[headerLength..<header].reduce(0) { $0 + Int($1) }
      return sink.read(base + header, count: body) == body ? header + body : nil
    }
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 ^ table[Int($0 >> 24) ^ Int($1)] }
  }

  /// The remainders of all bytes by the polynomial 0x04C11DB7.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { rest, _ in rest << 1 ^ (rest >> 31 == 1 ? 0x04C1_1DB7 : 0) }
  }
}
