/// Lines out of the bytes of a pipe, which come in pieces.
struct LineReader {
  /// Longer than any command; what a line has beyond it is passed over.
  static let limit = 1024

  private var bytes: [UInt8] = []
  private var lines: ArraySlice<String> = []

  /// Whether a line can be taken.
  var hasLine: Bool { !lines.isEmpty }

  mutating func append(_ piece: some Sequence<UInt8>) {
    for byte in piece {
      if byte == 0x0A {
        end()
      } else if bytes.count < Self.limit {
        bytes.append(byte)
      }
    }
  }

  /// Nothing more will come: what has no line break is a line as well.
  mutating func finish() {
    if !bytes.isEmpty { end() }
  }

  mutating func take() -> String? { lines.popFirst() }

  private mutating func end() {
    lines.append(String(decoding: bytes, as: UTF8.self))
    bytes = []
  }
}
