import Foundation
import TestSupport
import Testing

@Suite("What waits is ended by one signal, and what is put in order by two", .timeLimit(.minutes(5)))
struct SignalTests {
  private let directory = try! TemporaryDirectory()

  private static let signals: [(String, Int32)] = [("INT", 130), ("TERM", 143), ("HUP", 129)]

  /// Runs `line` in a shell with job control, whose background jobs do not ignore SIGINT, and sends it signals.
  /// Nobody writes into the pipe, and nobody reads it.
  private func run(_ line: String, sending signals: String...) throws -> Program.Result {
    let kills = signals.map { "sleep 1; kill -\($0) $!" }.joined(separator: "; ")
    return try Program.run(
      script: "set -m; mkfifo $1/pipe; exec 3<> $1/pipe; \(line) & \(kills); wait $!", directory.path(""))
  }

  @Test("waiting for its list", arguments: signals)
  func list(signal: String, status: Int32) throws {
    #expect(try run("$0 render - -o $1/out/ < $1/pipe", sending: signal).status == status)
  }

  @Test("waiting for a song", arguments: ["$0 info", "$0 --out null", "$0 render -o $1/x.wav"])
  func song(command: String) throws {
    #expect(try run("\(command) /dev/stdin < $1/pipe", sending: "TERM").status == 143)
  }

  @Test("a second one of whatever kind", arguments: signals)
  func second(signal: String, status: Int32) throws {
    // Rendering into a pipe that nobody reads, so that the first has nothing to show.
    let song = directory.path("long.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)])).write(to: URL(filePath: song))
    let line = "$0 render \(song) -o - --rate 8000 > $1/pipe"
    #expect(try run(line, sending: "TERM", signal).status == status)
  }

  @Test("what is ignored at the start stays so, as under nohup and in the background of scripts", arguments: signals)
  func ignored(signal: String, status: Int32) throws {
    let song = directory.path("long.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)])).write(to: URL(filePath: song))
    let script = """
      trap '' \(signal); mkfifo $2; $0 $1 --out null < $2 &
      exec 3> $2; sleep 1; kill -\(signal) $!; echo quit >&3; wait $!
      """
    let result = try Program.run(script: script, song, directory.path("commands"))
    #expect(result.status == 0 && result.errors.isEmpty)
  }

  // MARK: - A main thread that is stuck

  private func endless() throws -> String {
    let song = directory.path("endless.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)])).write(to: URL(filePath: song))
    return song
  }

  @Test("the second ends a program whose main thread no signal reaches, and the terminal is as it was")
  func stuck() throws {
    let terminal = try PseudoTerminal("\(Program.executable.path) \(endless()) --out null")
    try terminal.press("", after: "voices")
    let program = try #require(terminal.program)
    // As a debugger holds a thread: it runs no handler, and only an end of the whole process moves it.
    let hold = try #require(HeldThread(program))
    terminal.send(SIGTERM)
    usleep(300_000)
    #expect(kill(program, 0) == 0)
    terminal.send(SIGTERM)
    #expect(eventually { hold.hasEnded })
    #expect(try terminal.end() == 143)
    #expect(terminal.isAsBefore)
  }

  @Test("the second ends a program whose terminal takes nothing any more, as after Ctrl-S")
  func stoppedTerminal() throws {
    let terminal = try PseudoTerminal("\(Program.executable.path) \(endless()) --out null -v", rows: 24)
    try terminal.wait { $0.isSecond && $0.lines[1].contains("endless") }
    let program = try #require(terminal.program)
    try terminal.type("\u{13}")
    // It waits for the terminal where it draws.
    #expect(
      eventually {
        let call = try? String(contentsOfFile: "/proc/\(program)/syscall", encoding: .utf8)
        return call?.split(separator: " ").dropFirst().first == "0x2"
      })
    terminal.send(SIGTERM)
    usleep(300_000)
    terminal.send(SIGTERM)
    #expect(eventually { kill(program, 0) != 0 })
    try terminal.type("\u{11}")
    #expect(try terminal.end() == 143)
  }
}

/// The main thread of another process, held where it is as a debugger does. (PTRACE_SEIZE)
private final class HeldThread {
  private typealias Trace = @convention(c) (Int, pid_t, Int, Int) -> Int
  private let trace: Trace
  private let process: pid_t

  /// Nil where the system does not allow it.
  init?(_ process: pid_t) {
    // Swift does not import what takes any number of arguments.
    guard let symbol = dlsym(nil, "ptrace") else { return nil }
    (trace, self.process) = (unsafeBitCast(symbol, to: Trace.self), process)
    guard trace(0x4206, process, 0, 0) == 0, trace(0x4207, process, 0, 0) == 0, eventually({ isHeld }) else {
      return nil
    }
  }

  /// Whether the process has ended; its parent hears of it after this.
  var hasEnded: Bool {
    var status: Int32 = 0
    // Not stopped.
    return waitpid(process, &status, WNOHANG) == process && status & 0xFF != 0x7F
  }

  private var isHeld: Bool {
    guard let line = try? String(contentsOfFile: "/proc/\(process)/task/\(process)/stat", encoding: .utf8) else {
      return false
    }
    return line.split(separator: ")").last?.hasPrefix(" t") == true
  }
}
