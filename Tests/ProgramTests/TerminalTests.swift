import Foundation
import TestSupport
import Testing

@Suite("On a terminal", .timeLimit(.minutes(5)))
struct TerminalTests {
  private let directory = try! TemporaryDirectory()

  /// Plays a song without end.
  private func play(environment: [String: String] = [:]) throws -> PseudoTerminal {
    let song = directory.path("endless.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)])).write(to: URL(filePath: song))
    return try PseudoTerminal("\(Program.executable.path) \(song) --out null", environment: environment)
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

  @Test("up recalls what was typed, at the next start too")
  func history() throws {
    let state = ["XDG_STATE_HOME": directory.path("state")]
    let first = try play(environment: state)
    try first.press("gain -7\r", after: "voices")
    try first.press("q\r", after: "gain       ")
    #expect(try first.end() == 0)
    let second = try play(environment: state)
    try second.press("\u{1B}[A", after: "voices")
    try second.press("\u{1B}[A\r", after: "> q")
    try second.press("q\r", after: "gain       −7.0 dB")
    #expect(try second.end() == 0)
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

  @Test("Ctrl-\\ completes what is recorded, as Ctrl-C does")
  func quit() throws {
    let recorded = directory.path("recorded.wav")
    let song = directory.path("endless.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)])).write(to: URL(filePath: song))
    let terminal = try PseudoTerminal("\(Program.executable.path) \(song) --out null --record \(recorded)")
    try terminal.press("\u{1C}", after: "voices")
    try terminal.press("", after: "recorded   ")
    #expect(try terminal.end() == 131)
    #expect(terminal.isAsBefore)
  }
}
