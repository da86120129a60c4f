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
}
