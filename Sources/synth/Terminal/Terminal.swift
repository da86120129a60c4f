@preconcurrency import Glibc
import SynthRealtime

/// How large a terminal is, in characters.
struct TerminalSize: Equatable {
  let columns: Int
  let rows: Int
}

/// What a person sees on standard error; standard output is for data.
enum Terminal {
  /// Whether standard error is a terminal.
  static let isInteractive = isatty(STDERR_FILENO) != 0

  /// Nil if it is not known.
  static var size: TerminalSize? {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Columns, 80 if they are not known.
  static var width: Int { size?.columns ?? 80 }

  /// A line, which on a terminal is broken between words.
  static func error(_ line: String) { complain(line, .error) }

  static func warn(_ line: String) { complain("warning: \(line)", .warning) }

  private static func complain(_ line: String, _ priority: JournalPriority) {
    let text = "synth: \(visible(line))"
    tellLines(isInteractive ? wrapped(text, 7, width: width) : priority.marked(text))
  }

  /// Something worth knowing, also in a log.
  static func note(_ text: String) {
    tellLines(JournalPriority.information.marked(visible(text, lines: true)))
  }

  /// Something for a person only.
  static func tell(_ text: String) {
    if isInteractive { note(text) }
  }

  /// A line that is replaced by the next one.
  static func progress(_ line: StatusLine) {
    guard isInteractive, !isHeld else { return }
    let line = StatusLine(bright: visible(line.bright), rest: visible(line.rest)).cut(to: width - 1)
    write(eraser + (line.bright.isEmpty ? "" : "\u{1B}[1m\(line.bright)\u{1B}[22m") + line.rest)
  }

  /// What is being typed; of a long line the end is seen.
  static func prompt(_ text: String) {
    if isInteractive, !isHeld { write("\(eraser)> \(suffix(visible(text), ofColumns: max(width - 4, 1)))") }
  }

  static func endProgress() {
    if isInteractive, !isHeld { write(eraser) }
  }

  // MARK: - While the view has the screen

  private static let told = CheckedMutex(ToldLines())

  private static var isHeld: Bool { told.withLock { $0.isHeld } }

  /// The lines that were told last, the latest at the end.
  static var latest: [String] { told.withLock { $0.latest } }

  /// From now on nothing is written: the view shows it.
  static func hold() {
    endProgress()
    told.withLock { $0.isHeld = true }
  }

  /// Goes back to the first screen, and writes there what has been told meanwhile.
  static func release() {
    Screen.leave()
    for line in told.withLock({ $0.release() }) { write("\(line)\n") }
  }

  private static var eraser: String { isInteractive ? "\r\u{1B}[K" : "" }

  private static func tellLines(_ text: String) {
    if told.withLock({ $0.add(text) }) { write("\(eraser)\(text)\n") }
  }

  private static func write(_ text: String) {
    fputs(text, stderr)
    fflush(stderr)
  }
}

/// The lines that were told last, and those that are still to be written.
private struct ToldLines {
  private static let capacity = 500

  private(set) var latest: [String] = []
  private var waitingCount = 0
  var isHeld = false

  /// Whether to write it at once.
  mutating func add(_ text: String) -> Bool {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    latest = (latest + lines).suffix(Self.capacity)
    if isHeld { waitingCount = min(waitingCount + lines.count, latest.count) }
    return !isHeld
  }

  mutating func release() -> ArraySlice<String> {
    defer { (waitingCount, isHeld) = (0, false) }
    return latest.suffix(waitingCount)
  }
}

/// Standard output, as far as it is printed to.
enum StandardOutput {
  /// Prints lines for a person; programs get JSON, whose escapes are its own.
  static func show(_ text: String, terminator: String = "\n") {
    print(visible(text, lines: true), terminator: terminator)
  }

  /// Writes what has been printed, and finds out whether it arrived. A reader that has seen enough is no fault.
  static func finish() throws(StandardOutputError) {
    guard fflush(stdout) != 0 || ferror(stdout) != 0, errno != EPIPE else { return }
    throw StandardOutputError(reason: String(cString: strerror(errno)))
  }
}

/// What was printed is lost.
struct StandardOutputError: Error, CustomStringConvertible {
  let reason: String

  var description: String { "writing standard output: \(reason.prefix(1).lowercased() + reason.dropFirst())" }
}
