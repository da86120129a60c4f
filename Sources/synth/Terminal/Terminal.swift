@preconcurrency import Glibc

/// What a person sees on standard error; standard output is for data.
enum Terminal {
  /// Whether standard error is a terminal.
  static let isInteractive = isatty(STDERR_FILENO) != 0

  /// Columns, 80 if they are not known.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// A line, which on a terminal is broken between words.
  static func error(_ line: String) { complain(line, .error) }

  static func warn(_ line: String) { complain("warning: \(line)", .warning) }

  private static func complain(_ line: String, _ priority: JournalPriority) {
    let text = "synth: \(plain(line))"
    write(eraser + (isInteractive ? wrapped(text, 7, width: width) : priority.marked(text)) + "\n")
  }

  /// Something worth knowing, also in a log.
  static func note(_ text: String) {
    write("\(eraser)\(JournalPriority.information.marked(plain(text, lines: true)))\n")
  }

  /// Something for a person only.
  static func tell(_ text: String) {
    if isInteractive { note(text) }
  }

  /// A line that is replaced by the next one.
  static func progress(_ line: StatusLine) {
    guard isInteractive else { return }
    let line = StatusLine(bright: plain(line.bright), rest: plain(line.rest)).cut(to: width - 1)
    write(eraser + (line.bright.isEmpty ? "" : "\u{1B}[1m\(line.bright)\u{1B}[22m") + line.rest)
  }

  /// What is being typed; of a long line the end is seen.
  static func prompt(_ text: String) {
    if isInteractive { write("\(eraser)> \(plain(text).suffix(max(width - 4, 1)))") }
  }

  static func endProgress() {
    if isInteractive { write(eraser) }
  }

  /// Without what a terminal would interpret: names of files and devices may hold anything.
  private static func plain(_ text: String, lines: Bool = false) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control && !(lines && scalar == "\n") ? "?" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static var eraser: String { isInteractive ? "\r\u{1B}[K" : "" }

  private static func write(_ text: String) {
    fputs(text, stderr)
    fflush(stderr)
  }
}

/// Standard output, as far as it is printed to.
enum StandardOutput {
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
