import Foundation
import TestSupport
import Testing

@Suite("The view, on a terminal", .serialized, .timeLimit(.minutes(2)))
struct TerminalViewProgramTests {
  private let directory = try! TemporaryDirectory()

  /// Plays a song without end, called "Endless".
  private func play(
    _ options: String = "-v", environment: [String: String] = [:], before: String = "", after: String = ""
  ) throws -> PseudoTerminal {
    let song = directory.path("endless.mid")
    let track = text(3, "Endless") + note(60) + end(after: 960 * 36000)
    try Data(smf(format: 0, tracks: [track])).write(to: URL(filePath: song))
    let line = "\(Program.executable.path) \(song) --out null \(options)"
    return try PseudoTerminal(line, rows: 24, environment: environment, before: before, after: after)
  }

  private func isView(_ screen: TerminalScreen) -> Bool {
    screen.isSecond && screen.lines[1].contains("Endless") && screen.lines[10].contains("16 ")
  }

  /// Whether a person finds the terminal as it was, with what was told meanwhile.
  private func isRestored(_ terminal: PseudoTerminal) -> Bool {
    let screen = terminal.screen
    return terminal.isAsBefore && !screen.isSecond && screen.hasCursor
  }

  @Test("has the whole screen, with what is told and typed at the bottom, and leaves none of it but what was told")
  func whole() throws {
    let terminal = try play()
    try terminal.wait { isView($0) && !$0.hasCursor && $0.lines[23].hasPrefix("> type a command") }
    try terminal.type("gain -")
    try terminal.wait { $0.lines[23] == "> gain -" && $0.hasCursor && $0.cursor == (23, 8) }
    try terminal.type("3\rchorus wide\r")
    try terminal.wait { isView($0) && $0.contains("gain       −3.0 dB") && $0.contains("synth: chorus wide") }
    try terminal.type("mute 1\r")
    try terminal.wait { $0.lines[3].prefix(38).hasSuffix("M ") }
    try terminal.type("q\r")
    #expect(try terminal.end() == 0)
    #expect(isRestored(terminal))
    #expect(terminal.text.components(separatedBy: "\u{1B}[?1049l").last?.contains("gain       −3.0 dB\r\n") == true)
  }

  @Test("comes and goes with v, and songs are steered meanwhile")
  func key() throws {
    let terminal = try play("")
    try terminal.press("v", after: "voices")
    try terminal.wait(until: isView)
    try terminal.type(" ")
    try terminal.wait { isView($0) && $0.lines[1].contains("paused") }
    try terminal.type("v")
    try terminal.wait { !$0.isSecond && $0.hasCursor && $0.contains("paused") }
    try terminal.type("q\r")
    #expect(try terminal.end() == 0)
    #expect(isRestored(terminal))
  }

  @Test(
    "the terminal is as it was after signals",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT])
  func signals(_ signal: Int32) throws {
    let terminal = try play()
    try terminal.wait(until: isView)
    terminal.send(signal)
    #expect(try terminal.end() ?? 0 >= 128)
    #expect(isRestored(terminal))
  }

  @Test("Ctrl-Z gives the terminal back, and all is drawn when the program goes on")
  func stopped() throws {
    let terminal = try play(before: "set -m;", after: "stty -a; echo stopped; fg;")
    try terminal.wait(until: isView)
    try terminal.type("\u{1A}")
    try terminal.press("", after: "stopped")
    let left = terminal.text.components(separatedBy: "\u{1B}[?1049l").last ?? ""
    #expect(!left.contains("\u{1B}[?1049h") && left.contains(" icanon"))
    try terminal.wait(until: isView)
    try terminal.type("q\r")
    #expect(try terminal.end() == 0)
    #expect(isRestored(terminal))
  }

  @Test("after SIGSTOP and SIGCONT all is drawn")
  func frozen() throws {
    let terminal = try play()
    try terminal.wait(until: isView)
    terminal.send(SIGSTOP)
    terminal.send(SIGCONT)
    try terminal.press("", after: "\u{1B}[?1049l")
    try terminal.wait(until: isView)
    try terminal.type("q\r")
    #expect(try terminal.end() == 0)
    #expect(isRestored(terminal))
  }

  @Test("follows the size of the terminal, and gives way to the last line where it is too small")
  func resized() throws {
    // The shell looks for files that tell it to.
    let (small, large) = (directory.path("small"), directory.path("large"))
    let resizes = [(small, 17), (large, 24)].map { path, rows in
      "until [ -e \(path) ]; do sleep 0.05; done; stty rows \(rows) </dev/tty;"
    }
    let terminal = try play(before: "(\(resizes.joined(separator: " "))) &")
    try terminal.wait(until: isView)
    _ = try directory.write("small", "")
    try terminal.wait { !$0.isSecond && $0.contains("voices") }
    _ = try directory.write("large", "")
    try terminal.wait(until: isView)
    try terminal.type("q\r")
    #expect(try terminal.end() == 0)
    #expect(isRestored(terminal))
  }

  @Test("is not there where a terminal cannot have it", arguments: ["dumb", ""])
  func dumb(kind: String) throws {
    let terminal = try play(environment: ["TERM": kind])
    try terminal.press("q\r", after: "voices")
    #expect(try terminal.end() == 0)
    #expect(!terminal.text.contains("\u{1B}[?1049h"))
  }

  @Test("has colours unless NO_COLOR is set", arguments: [("", true), ("1", false)])
  func colour(value: String, hasColour: Bool) throws {
    let terminal = try play(environment: ["NO_COLOR": value])
    try terminal.wait { isView($0) && $0.lines[3].contains("█") }
    try terminal.type("q\r")
    #expect(try terminal.end() == 0)
    #expect(terminal.screen.hasColour == hasColour)
  }

  @Test("is no matter of a pipe")
  func pipe() throws {
    let song = directory.path("note.mid")
    try Data(smf(format: 0, tracks: [note(60) + end()])).write(to: URL(filePath: song))
    let result = try Program.run([song, "-v", "--out", "null"])
    #expect(result.status == 0 && !result.errors.contains("\u{1B}") && result.output.isEmpty)
  }
}
