import Foundation

/// A terminal of its own, which util-linux's `script` makes, and in it a shell that tells how a program left it.
final class PseudoTerminal {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private var bytes = Data()
  /// What a person sees.
  private(set) var screen = TerminalScreen(columns: 80, rows: 24)
  /// Where what has not been looked at begins.
  private var place = 0

  /// - Parameters:
  ///   - rows: 0 for a terminal that does not know.
  ///   - before: what the shell is to do first, and `after` what at the program's end or when it is stopped.
  init(
    _ line: String, rows: Int = 0, environment: [String: String] = [:], before: String = "", after: String = ""
  ) throws {
    process.executableURL = URL(filePath: "/usr/bin/script")
    // Ctrl-C and Ctrl-\ are for all in the foreground; this shell goes on.
    let command =
      "trap : INT QUIT; stty cols 80 rows \(rows); \(before) sh -c 'echo pid=$$; exec \(line)'; \(after) echo ended=$?; "
      + "stty -a; echo shell-is-done"
    process.arguments = ["--quiet", "--command", command, "/dev/null"]
    process.environment = [
      "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "TERM": "xterm",
    ].merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    DispatchQueue.global().asyncAfter(deadline: .now() + 120) { [process] in
      if process.isRunning { process.terminate() }
    }
  }

  /// Presses keys once a text has come onto the screen, after the one before it.
  func press(_ keys: String, after text: String) throws {
    try wait(for: text)
    try type(keys)
  }

  func type(_ keys: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(keys.utf8))
  }

  /// Waits until the screen shows something.
  func wait(until condition: (TerminalScreen) -> Bool) throws {
    while true {
      if condition(screen) {
        place = bytes.count
        return
      }
      try read(waitingFor: "a screen", screen.lines.joined(separator: "\n"))
    }
  }

  /// The program, once it has started.
  var program: pid_t? { number(after: "pid=") }

  /// Sends a signal to the program.
  func send(_ signal: Int32) {
    if let program { kill(program, signal) }
  }

  /// Waits for the program's end, and gives its exit status.
  func end() throws -> Int32? {
    try wait(for: "shell-is-done")
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return number(after: "ended=")
  }

  /// Whether keys are shown and lines are edited by the terminal again.
  var isAsBefore: Bool {
    let words = text[(text.range(of: "ended=")?.lowerBound ?? text.endIndex)...].split(
      whereSeparator: \.isWhitespace)
    return words.contains("icanon") && words.contains("echo")
  }

  /// All that the terminal was sent.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  private func number(after text: String) -> Int32? {
    self.text.range(of: text).flatMap { Int32(self.text[$0.upperBound...].prefix { $0.isNumber }) }
  }

  private func wait(for text: String) throws {
    while true {
      if let found = bytes[place...].range(of: Data(text.utf8)) {
        place = found.upperBound
        return
      }
      try read(waitingFor: text, self.text)
    }
  }

  private func read(waitingFor text: String, _ seen: String) throws {
    let more = output.fileHandleForReading.availableData
    if more.isEmpty { throw NothingSeen(text: text, screen: seen) }
    bytes += more
    screen.take(more)
  }

  struct NothingSeen: Error {
    let text: String
    let screen: String
  }
}
