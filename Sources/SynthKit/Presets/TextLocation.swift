/// A place in a text, line and column counted from 1; a column is a Unicode scalar, as editors count.
public struct TextLocation: Equatable, Sendable, CustomStringConvertible {
  /// The line.
  public let line: Int

  /// The column within the line.
  public let column: Int

  /// The place of this line and column.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of a byte of UTF-8 text.
  init(offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    // Only the first byte of a scalar counts.
    column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
  }

  /// "3:14".
  public var description: String { "\(line):\(column)" }
}
