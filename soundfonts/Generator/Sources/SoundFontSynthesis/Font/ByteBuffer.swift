// Little-endian bytes and RIFF chunks.

/// Bytes being written.
struct ByteBuffer {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ value: UInt8) { bytes.append(value) }

  mutating func append(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  mutating func append(_ value: UInt32) {
    append(UInt16(truncatingIfNeeded: value))
    append(UInt16(truncatingIfNeeded: value >> 16))
  }

  mutating func append(_ other: ByteBuffer) { bytes += other.bytes }

  /// ASCII text, cut or padded with zeros to `width` bytes, of which the last is always zero.
  mutating func append(_ text: String, width: Int) {
    let kept = text.utf8.prefix(width - 1)
    bytes += kept
    bytes += [UInt8](repeating: 0, count: width - kept.count)
  }

  /// A chunk: four-character code, size, content, padded to an even size.
  mutating func appendChunk(_ code: String, _ content: ByteBuffer) {
    bytes += code.utf8
    append(UInt32(content.bytes.count))
    append(content)
    if content.bytes.count % 2 == 1 { append(UInt8(0)) }
  }

  /// A list of chunks of the given type.
  mutating func appendList(_ code: String = "LIST", type: String, _ content: ByteBuffer) {
    var list = ByteBuffer()
    list.bytes += type.utf8
    list.append(content)
    appendChunk(code, list)
  }
}
