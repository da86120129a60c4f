// Tags and big- and little-endian numbers at byte offsets.

extension MIDIFileParser {
  func bigEndian16(at offset: Int) -> UInt16 { UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1]) }

  func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian16(at: offset)) << 16 | UInt32(bigEndian16(at: offset + 2))
  }

  func littleEndian32(at offset: Int) -> UInt32 { bigEndian32(at: offset).byteSwapped }

  /// Whether the four bytes at `offset` are `tag`; false where they lie outside of the file.
  func hasTag(_ tag: StaticString, at offset: Int) -> Bool {
    guard offset + 4 <= bytes.count else { return false }
    return (0..<4).allSatisfy { bytes[offset + $0] == tag.utf8Start[$0] }
  }

  /// Whether a chunk header may stand at `offset`: four printable characters and a length.
  func isTag(at offset: Int) -> Bool {
    guard offset + 8 <= limit else { return false }
    return bytes[offset..<offset + 4].allSatisfy { (0x20..<0x7F).contains($0) }
  }

  /// Where `tag` first stands within `range`.
  func find(_ tag: StaticString, in range: Range<Int>) -> Int? {
    guard range.count >= 4 else { return nil }
    return (range.lowerBound...range.upperBound - 4).first { hasTag(tag, at: $0) }
  }

  /// The first bytes of a file as a person can recognise them: text where they are text, else hexadecimal.
  func shown(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return "\"\(String(decoding: bytes, as: UTF8.self))\"" }
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
}
