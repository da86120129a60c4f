import Foundation
import TestSupport
import Testing

@testable import synth

@Suite("snapshots of the program", .timeLimit(.minutes(5)))
struct SnapshotProgramTests {
  private let directory: TemporaryDirectory
  private var home: [String: String] { ["XDG_STATE_HOME": directory.path("")] }

  init() throws { directory = try TemporaryDirectory() }

  private func synth(_ words: [String] = [], typing input: String) throws -> Program.Result {
    try Program.run(
      [try TestFiles.song("busy_schedule.mid"), "--out", "null", "--loop", "forever"] + words, environment: home,
      input: input)
  }

  @Test("are saved by one start of the program and recalled by the next, typed or by --snapshot")
  func restart() throws {
    let saved = try synth(typing: "level 3 -6\npreset pop\nsnapshot save lead\nquit\n")
    #expect(saved.errors.contains("snapshot   lead saved, program 0\n"))
    let typed = try synth(typing: "snapshot lead\nlevel 3\npreset\nquit\n").errors
    #expect(typed.contains("level      channel 3 −6.0 dB\npreset     pop\n"))
    #expect(try synth(["--snapshot", "lead"], typing: "level 3\nquit\n").errors.contains("channel 3 −6.0 dB\n"))
    let refused = try synth(["--snapshot", "laed"], typing: "quit\n")
    #expect(refused.errors.contains("snapshot laed: no such snapshot; give lead\n"))
    #expect(try synth(["--snapshot-channel", "17"], typing: "").status == 2)
  }

  @Test("a program that is killed while it saves leaves a whole file", arguments: 1...2)
  func killed(round: Int) throws {
    #expect(try synth(typing: "level 3 -6\nsnapshot save lead\nquit\n").status == 0)
    let lines = (0..<20_000).map { "level 3 -\($0 % 60)\nsnapshot save lead\n" }.joined()
    let program = "(cat \"$1\" && sleep 5) | \"$0\" \"$2\" --out null --loop forever"
    let script = "\(program) & sleep 1.\(round); kill -9 $!; wait"
    let input = try directory.write("lines", lines)
    let result = try Program.run(
      ["-c", script, Program.executable.path, input, try TestFiles.song("busy_schedule.mid")],
      of: URL(filePath: "/bin/bash"), environment: home.merging(["PATH": "/usr/bin:/bin"]) { $1 })
    #expect(!result.errors.contains("snapshot lead"))
    let file = try Data(contentsOf: URL(filePath: directory.path("synth/snapshots/lead.json")))
    #expect(try JSONSerialization.jsonObject(with: file) is [String: Any])
    #expect(try synth(typing: "snapshot lead\nquit\n").status == 0)
  }
}
