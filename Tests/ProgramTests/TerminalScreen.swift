import Foundation

/// What a terminal shows for the bytes it is sent: as much of ECMA-48 and xterm as programs here use.
struct TerminalScreen {
  /// Whether the second screen is shown, and whether there is a cursor.
  private(set) var isSecond = false
  private(set) var hasCursor = true
  private(set) var cursor = (row: 0, column: 0)
  /// Whether any colour was asked for.
  private(set) var hasColour = false
  private let columns: Int
  private var cells: [[Character]]
  private var first: (cells: [[Character]], cursor: (row: Int, column: Int))?
  /// What is not complete yet.
  private var rest: ArraySlice<UInt8> = []

  /// Without blanks at the ends.
  var lines: [String] {
    cells.map { row in String(String(row).reversed().drop { $0 == " " }.reversed()) }
  }

  func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  init(columns: Int, rows: Int) {
    self.columns = columns
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  mutating func take(_ bytes: Data) {
    rest += bytes
    while let byte = rest.first, let count = Self.length(of: rest) {
      let text = String(decoding: rest.prefix(count), as: UTF8.self)
      rest = rest.dropFirst(count)
      switch byte {
      case 0x1B: perform(text.last!, String(text.dropFirst(2).dropLast()))
      case 0x0D: cursor.column = 0
      case 0x0A: feed()
      case 0x08: cursor.column = max(cursor.column - 1, 0)
      case 0x07: break
      default: show(Character(text))
      }
    }
  }

  /// How many bytes a character or a sequence of ESC [, parameters and a letter has; nil where they are not all here.
  private static func length(of bytes: ArraySlice<UInt8>) -> Int? {
    let byte = bytes.first!
    if byte == 0x1B {
      return bytes.dropFirst(2).firstIndex { $0 >= 0x40 }.map { $0 - bytes.startIndex + 1 }
    }
    let count = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    return count <= bytes.count ? count : nil
  }

  private mutating func show(_ character: Character) {
    if cursor.column == columns {
      cursor.column = 0
      feed()
    }
    cells[cursor.row][cursor.column] = character
    cursor.column += 1
  }

  private mutating func feed() {
    cursor.row += 1
    guard cursor.row == cells.count else { return }
    cursor.row -= 1
    cells.append(Array(repeating: " ", count: columns))
    cells.removeFirst()
  }

  private mutating func perform(_ letter: Character, _ text: String) {
    let numbers = text.split(separator: ";").map { Int($0) ?? 0 }
    let blanks = Array(repeating: Character(" "), count: columns)
    switch (letter, text) {
    case ("H", _): cursor = (max((numbers.first ?? 1) - 1, 0), max((numbers.dropFirst().first ?? 1) - 1, 0))
    case ("K", _): cells[cursor.row].replaceSubrange(cursor.column..., with: blanks[cursor.column...])
    case ("J", "2"): cells = cells.map { _ in blanks }
    case ("h", "?25"): hasCursor = true
    case ("l", "?25"): hasCursor = false
    case ("h", "?1049"):
      if first == nil { first = (cells, cursor) }
      (isSecond, cells) = (true, cells.map { _ in blanks })
    case ("l", "?1049"):
      if let first { (cells, cursor) = first }
      (isSecond, first) = (false, nil)
    case ("m", _): if numbers.contains(where: { (30...49).contains($0) }) { hasColour = true }
    default: break
    }
  }
}
