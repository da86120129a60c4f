@preconcurrency import Glibc
import Synchronization

/// The terminal's second screen, which the view has for itself; what was on the first one is back afterwards.
/// It is left at every end of the program, and while the program is stopped.
enum Screen {
  private static let isOn = Atomic<Bool>(false)
  private static let isWriting = Atomic<Bool>(false)

  /// Whether a terminal can do what the view asks for.
  static let isPossible: Bool = {
    let kind = getenv("TERM").map { String(cString: $0) } ?? ""
    return Terminal.isInteractive && !kind.isEmpty && kind != "dumb"
  }()

  /// https://no-color.org
  static let isInColour = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true

  /// Goes there; whether it had been left, and is empty now.
  static func enter() -> Bool {
    guard !isOn.exchange(true, ordering: .sequentiallyConsistent) else { return false }
    // Either this is seen here, or what has ended the mode has seen that it is on.
    guard !KeyMode.isOver else {
      isOn.store(false, ordering: .sequentiallyConsistent)
      return false
    }
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    return true
  }

  /// Writes to it, as long as it is not left.
  static func write(_ text: String) {
    isWriting.store(true, ordering: .sequentiallyConsistent)
    defer { isWriting.store(false, ordering: .sequentiallyConsistent) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty, isOn.load(ordering: .sequentiallyConsistent) {
      let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      bytes = bytes.dropFirst(max(count, 0))
    }
  }

  /// Goes back to the first screen. [any thread], signal handlers too
  static func leave() {
    guard isOn.exchange(false, ordering: .sequentiallyConsistent) else { return }
    // Another thread may be writing; it ends soon, unless this handler has interrupted it.
    for _ in 0..<20 where isWriting.load(ordering: .sequentiallyConsistent) { poll(nil, 0, 1) }
    // A terminal that was stopped, by Ctrl-S, would have the program wait for ever.
    var request = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&request, 1, 500) > 0, request.revents & Int16(POLLOUT) != 0 else { return }
    let back: StaticString = "\u{1B}[m\u{1B}[?25h\u{1B}[?1049l"
    _ = Glibc.write(STDERR_FILENO, back.utf8Start, back.utf8CodeUnitCount)
  }
}

/// Keeps what is on the screen, and sends what is different.
struct ScreenPainter {
  private var shown: [StyledText] = []
  private var size = TerminalSize(columns: 0, rows: 0)

  /// - Parameter cursor: the column of the last line where it is seen; nil for nowhere.
  mutating func paint(_ lines: [StyledText], cursor: Int?, size: TerminalSize) {
    let isEmpty = Screen.enter()
    let text = changes(to: lines, cursor: cursor, size: size, isEmpty: isEmpty, inColour: Screen.isInColour)
    Screen.write(text)
  }

  /// What to send, for lines that are to be seen in place of those before.
  mutating func changes(
    to lines: [StyledText], cursor: Int?, size: TerminalSize, isEmpty: Bool, inColour: Bool
  ) -> String {
    var text = "\u{1B}[?25l"
    if isEmpty || size != self.size {
      text += "\u{1B}[2J"
      shown = []
    }
    for (row, line) in lines.enumerated() where !shown.indices.contains(row) || shown[row] != line {
      text += "\u{1B}[\(row + 1);1H\(line.sequence(inColour: inColour))\u{1B}[K"
    }
    (shown, self.size) = (lines, size)
    return text + (cursor.map { "\u{1B}[\(lines.count);\($0 + 1)H\u{1B}[?25h" } ?? "")
  }
}
