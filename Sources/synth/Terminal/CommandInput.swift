@preconcurrency import Glibc

/// Where commands come from while sound is played: keys that a person presses, or lines that a program writes.
struct CommandInput {
  /// 4 MB.
  private static let piecesPerTurn = 4096

  private enum Source {
    case keys, lines, none
  }

  private var source: Source
  private var editor = LineEditor()
  private var reader = LineReader()
  private var pressed: ArraySlice<LineEditor.Key> = []
  private var history: CommandHistory?

  init() {
    let areKeys = StandardInput.isTerminal && Terminal.isInteractive
    source = areKeys ? .keys : StandardInput.isOpen ? .lines : .none
    history = areKeys ? CommandHistory() : nil
    editor.past = history?.lines ?? []
  }

  /// For the next start.
  mutating func keepHistory() { history?.keep() }

  /// Whether a person sees what is typed.
  var isTyped: Bool { source == .keys }

  /// What has been typed of a command; nil where nothing has.
  var typed: String? { editor.text.isEmpty ? nil : editor.text }

  /// Whether a line that has come waits to be taken.
  var hasLine: Bool { reader.hasLine }

  /// What is readable when a key is pressed or a line comes; nil while nothing is to be read.
  var descriptor: Int32? {
    switch source {
    case .keys: KeyMode.enter() ? STDIN_FILENO : nil
    // Reading a terminal in the background would stop the program.
    case .lines: !reader.hasLine && (!StandardInput.isTerminal || KeyMode.isForeground) ? STDIN_FILENO : nil
    case .none: nil
    }
  }

  /// Waits for 50 ms, or until something has come, and reads it. `completions` completes what is typed.
  mutating func wait(completions: (String) -> [String]) {
    var request = pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    poll(&request, 1, hasLine ? 0 : 50)
    read(completions: completions)
  }

  /// Reads what has come. `completions` completes what is typed.
  mutating func read(completions: (String) -> [String]) {
    guard descriptor != nil else { return }
    if source == .keys { readKeys(completions) } else { readLines() }
  }

  /// The next command; nil for none yet.
  mutating func take() -> String? {
    while let line = reader.take() {
      if let line { return line }
      Terminal.error(
        "reading commands: a line is longer than \(LineReader.limit) bytes; end each command with a line break")
    }
    return nil
  }

  /// The next key that acts at once; nil for none.
  mutating func takeKey() -> LineEditor.Key? { pressed.popFirst() }

  private mutating func readKeys(_ completions: (String) -> [String]) {
    guard let keys = StandardInput.read(atMost: 256) else {
      // The terminal has gone; a hangup may follow.
      source = .none
      return
    }
    for outcome in editor.type(keys, completions: completions) {
      switch outcome {
      case .line(let line):
        history?.add(line)
        editor.past = history?.lines ?? []
        reader.append(Array("\(line)\n".utf8))
      case .choices(let words): Terminal.note(table(words))
      case .key(let key): pressed.append(key)
      }
    }
  }

  private mutating func readLines() {
    // What is too long to be a command is not worth a turn for each kilobyte.
    for _ in 0..<Self.piecesPerTurn {
      guard let piece = StandardInput.read(atMost: LineReader.limit) else {
        reader.finish()
        source = .none
        return
      }
      reader.append(piece)
      if piece.isEmpty || !reader.isPassingOver { return }
    }
  }

  /// Words with two blanks between them, within the terminal's width.
  private func table(_ words: [String]) -> String {
    var lines = [""]
    for word in words.map({ visible($0) }) {
      let last = lines.count - 1
      if lines[last].isEmpty {
        lines[last] = word
      } else if columns(lines[last]) + 2 + columns(word) < Terminal.width {
        lines[last] += "  \(word)"
      } else {
        lines.append(word)
      }
    }
    return lines.joined(separator: "\n")
  }
}

/// Standard input as it is while sound is played: never waited for, and read no faster than what it says is done.
enum StandardInput {
  /// Asked for before anything is opened: a file that is opened later may get the number of one that was closed.
  static let isOpen = fcntl(STDIN_FILENO, F_GETFD) >= 0
  static let isTerminal = isOpen && isatty(STDIN_FILENO) != 0

  /// What can be read at once, at most `count` bytes: empty for nothing yet, nil at the end.
  static func read(atMost count: Int) -> [UInt8]? {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, count) }
    if result < 0, errno == EINTR || errno == EAGAIN { return [] }
    return result > 0 ? Array(bytes.prefix(result)) : nil
  }
}

/// Lines out of the bytes of a pipe, which come in pieces.
struct LineReader {
  /// Longer than any command.
  static let limit = 1024

  private var bytes: [UInt8] = []
  private var lines: ArraySlice<String?> = []

  /// Whether a line can be taken.
  var hasLine: Bool { !lines.isEmpty }

  /// Whether the line that comes is longer than the limit.
  var isPassingOver: Bool { bytes.count > Self.limit }

  mutating func append(_ piece: some Sequence<UInt8>) {
    for byte in piece {
      if byte == 0x0A {
        end()
      } else if !isPassingOver {
        bytes.append(byte)
      }
    }
  }

  /// Nothing more will come: what has no line break is a line as well.
  mutating func finish() {
    if !bytes.isEmpty { end() }
  }

  /// The next line, which is nil if it is longer than the limit; nil for none.
  mutating func take() -> String?? { lines.popFirst() }

  private mutating func end() {
    lines.append(isPassingOver ? nil : String(decoding: bytes, as: UTF8.self))
    bytes = []
  }
}
