import Foundation
import TestSupport
import Testing

@Suite("On a terminal", .timeLimit(.minutes(5)))
struct TerminalTests {
  private let directory = try! TemporaryDirectory()

  /// Plays a song without end.
  private func play() throws -> PseudoTerminal {
    let song = directory.path("endless.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)])).write(to: URL(filePath: song))
    return try PseudoTerminal("\(Program.executable.path) \(song) --out null")
  }

  @Test("a command is seen as it is typed, is completed by Tab, and gives way to the meter")
  func typing() throws {
    let terminal = try play()
    try terminal.press("preset po", after: "voices")
    try terminal.press("\t", after: "> preset po")
    try terminal.press("\r", after: "> preset pop ")
    try terminal.press("gain", after: "preset     pop")
    try terminal.press("\u{1B}", after: "> gain")
    try terminal.press("qui", after: "voices")
    try terminal.press("t\r", after: "> qui")
    #expect(try terminal.end() == 0)
    #expect(terminal.isAsBefore)
  }

  @Test("an error that is longer than the terminal is wide is broken between words")
  func longError() throws {
    let terminal = try play()
    try terminal.press("chorus wide\r", after: "voices")
    try terminal.press("q\r", after: "chorus-4,\r\n       feedback-chorus, flanger, off")
    #expect(try terminal.end() == 0)
  }

  @Test("space pauses and goes on, + and - change the tempo, and the meter shows it")
  func keys() throws {
    let terminal = try play()
    try terminal.press(" ", after: "voices")
    try terminal.press("-", after: "paused  ")
    try terminal.press("+", after: "paused  95 %  ")
    try terminal.press(" ", after: "voices")
    try terminal.press("loop 0:10 10:00:00\r", after: "voices")
    try terminal.press("q\r", after: "loop 0:10 to 10:00:00  ")
    #expect(try terminal.end() == 0)
    #expect(terminal.isAsBefore)
  }

  @Test("with --lyrics the words are seen as they are sung")
  func lyrics() throws {
    let song = directory.path("daisy.kar")
    let words = text(3, "Words") + text(1, "/Dai") + text(1, " sy", after: 960 * 36000) + end()
    try Data(smf(tracks: [note(60) + end(), words])).write(to: URL(filePath: song))
    let terminal = try PseudoTerminal("\(Program.executable.path) \(song) --lyrics --out null")
    try terminal.press("\u{3}", after: "\u{1B}[1mDai\u{1B}[22m sy")
    #expect(try terminal.end() == 130)
    #expect(terminal.isAsBefore)
  }

  @Test("Ctrl-C ends it with 130, and the terminal is as it was")
  func interrupted() throws {
    let terminal = try play()
    try terminal.press("\u{3}", after: "voices")
    #expect(try terminal.end() == 130)
    #expect(terminal.isAsBefore)
  }

  @Test("the terminal is as it was after other signals too", arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT])
  func signals(_ signal: Int32) throws {
    let terminal = try play()
    try terminal.press("", after: "voices")
    terminal.send(signal)
    #expect(try terminal.end() ?? 0 >= 128)
    #expect(terminal.isAsBefore)
  }
}

/// A terminal of its own, which util-linux's `script` makes, and in it a shell that tells how a program left it.
private final class PseudoTerminal {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private var bytes = Data()
  /// Where what has not been looked at begins.
  private var place = 0

  init(_ line: String) throws {
    process.executableURL = URL(filePath: "/usr/bin/script")
    // Ctrl-C is for all in the foreground; this shell goes on.
    let command = "trap : INT; stty cols 80; sh -c 'echo pid=$$; exec \(line)'; echo ended=$?; stty -a; echo over"
    process.arguments = ["--quiet", "--command", command, "/dev/null"]
    process.environment = [
      "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "TERM": "xterm",
    ]
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
    try input.fileHandleForWriting.write(contentsOf: Data(keys.utf8))
  }

  /// Sends a signal to the program.
  func send(_ signal: Int32) {
    if let pid = number(after: "pid=") { kill(pid, signal) }
  }

  /// Waits for the program's end, and gives its exit status.
  func end() throws -> Int32? {
    try wait(for: "over")
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return number(after: "ended=")
  }

  /// Whether keys are shown and lines are edited by the terminal again.
  var isAsBefore: Bool {
    let words = screen[(screen.range(of: "ended=")?.lowerBound ?? screen.endIndex)...].split(
      whereSeparator: \.isWhitespace)
    return words.contains("icanon") && words.contains("echo")
  }

  private var screen: String { String(decoding: bytes, as: UTF8.self) }

  private func number(after text: String) -> Int32? {
    screen.range(of: text).flatMap { Int32(screen[$0.upperBound...].prefix { $0.isNumber }) }
  }

  private func wait(for text: String) throws {
    while true {
      if let found = bytes[place...].range(of: Data(text.utf8)) {
        place = found.upperBound
        return
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { throw NothingSeen(text: text, screen: screen) }
      bytes += more
    }
  }

  struct NothingSeen: Error {
    let text: String
    let screen: String
  }
}
