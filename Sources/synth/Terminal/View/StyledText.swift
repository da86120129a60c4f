/// A line of the view: pieces of text, each in a style.
struct StyledText: Equatable {
  enum Style: Equatable {
    case plain, bold, dim
    /// Levels: usual, high, and beyond full scale.
    case usual, high, over
  }

  struct Piece: Equatable {
    var text: String
    var style: Style
  }

  private(set) var pieces: [Piece] = []

  init(_ text: String = "", _ style: Style = .plain) {
    if !text.isEmpty { pieces = [Piece(text: visible(text), style: style)] }
  }

  /// Without its styles.
  var text: String { pieces.map(\.text).joined() }

  var columnCount: Int { pieces.reduce(0) { $0 + columns($1.text) } }

  static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum.pieces += right.pieces
    return sum
  }

  /// Cut, or filled up with blanks, to a number of columns.
  func fitted(to width: Int) -> StyledText {
    var (line, room) = (StyledText(), width)
    for piece in pieces {
      let part = prefix(piece.text, ofColumns: room)
      line = line + StyledText(part, piece.style)
      room -= columns(part)
      // What follows a character that is too wide does not take its place.
      if part.count < piece.text.count { break }
    }
    return line + StyledText(String(repeating: " ", count: room))
  }

  /// Those of several texts, the important ones first, that fit side by side; the first is cut where it must be.
  static func row(_ texts: [StyledText], width: Int) -> StyledText {
    var row = StyledText()
    for text in texts where !text.pieces.isEmpty {
      let next = row.pieces.isEmpty ? text : row + StyledText("  ") + text
      if next.columnCount <= width || row.pieces.isEmpty { row = next }
    }
    return row.fitted(to: width)
  }

  /// What a terminal is sent. (ECMA-48, SGR)
  func sequence(inColour: Bool) -> String {
    pieces.map { piece in
      let code =
        switch piece.style {
        case .plain: ""
        case .bold: "1"
        case .dim: "2"
        case .usual: inColour ? "32" : ""
        case .high: inColour ? "33" : ""
        case .over: inColour ? "31" : "1"
        }
      return code.isEmpty ? piece.text : "\u{1B}[\(code)m\(piece.text)\u{1B}[m"
    }.joined()
  }
}
