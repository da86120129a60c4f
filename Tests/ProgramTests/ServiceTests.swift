import Foundation
import TestSupport
import Testing

@testable import synth

@Suite("As a service", .timeLimit(.minutes(2)))
struct ServiceTests {
  private let directory = try! TemporaryDirectory()

  /// A socket as a service manager has one.
  private final class Manager {
    let path: String
    private let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)

    init(_ path: String) throws {
      self.path = path
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let code = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(code == 0, "\(String(cString: strerror(errno)))")
    }

    deinit { close(socket) }

    /// What it was told, a datagram each. The kernel keeps ten, and lets the sender wait then.
    var messages: [String] {
      var all: [String] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let count = recv(socket, &buffer, buffer.count, 0), count >= 0 {
        all.append(String(decoding: buffer[..<count], as: UTF8.self))
      }
      return all
    }
  }

  @Test("it tells its manager that it is ready, what it plays, that it lives and that it ends")
  func notifications() throws {
    let manager = try Manager(directory.path("notify"))
    let song = directory.path("long.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)])).write(to: URL(filePath: song))
    let result = try Program.run(
      [song, "--out", "null"], environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "1000000"],
      interruptAfter: 2, by: SIGTERM)
    let messages = manager.messages
    #expect(messages.first == "READY=1\nSTATUS=playing long.mid on null")
    #expect(messages.contains("WATCHDOG=1"))
    #expect(messages.last == "STOPPING=1")
    #expect(messages.count { !$0.hasPrefix("WATCHDOG") } == 2)
    #expect(result.status == 0 && result.errors.isEmpty)
  }

  @Test("while a take is saved at the end it asks for time and lives, as long as that goes on")
  func saving() async {
    await #expect(processExitsWith: .success) {
      let manager = try Manager("\(NSTemporaryDirectory())/notify-\(UUID())")
      defer { unlink(manager.path) }
      setenv("NOTIFY_SOCKET", manager.path, 1)
      setenv("WATCHDOG_USEC", "1000000", 1)
      let service = PlayService(waits: false, releaseAfter: nil)
      service.turn(saving: 0.5)
      let first = manager.messages
      service.turn(saving: 0.5)
      #expect(first == ["EXTEND_TIMEOUT_USEC=30000000", "WATCHDOG=1"] && manager.messages.isEmpty)
    }
  }

  @Test("a device that is not there yet is waited for, which is told once")
  func waiting() throws {
    let manager = try Manager(directory.path("notify"))
    let told = "opening hw:CARD=Nope,DEV=0: no such device — `synth devices` lists those there are"
    let result = try Program.run(
      ["--wait", "--out", "hw:CARD=Nope,DEV=0"],
      environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "1000000"], interruptAfter: 2.5, by: SIGTERM)
    let messages = manager.messages
    #expect(messages.filter { $0 != "WATCHDOG=1" } == ["READY=1\nSTATUS=waiting: \(told)", "STOPPING=1"])
    #expect(messages.contains("WATCHDOG=1"))
    #expect(result.errors == "waiting    \(told)\n" && result.status == 0)
  }

  @Test("no manager is told of a program that fails before it plays")
  func failure() throws {
    let manager = try Manager(directory.path("notify"))
    let result = try Program.run(["--out", "hw:CARD=Nope,DEV=0"], environment: ["NOTIFY_SOCKET": manager.path])
    #expect(result.status == 1 && manager.messages.isEmpty)
  }

  @Test("what cannot change by itself is no matter of waiting")
  func impatience() throws {
    let song = try TestFiles.song
    let result = try Program.run([song, "--wait", "--out", ""])
    #expect(result.status == 1 && result.errors.hasPrefix("synth: setting up : no device name"))
    let hasty = try Program.run(["--release-after", "1"])
    #expect(hasty.errors.contains("--release-after 1: give a whole number from 10 to 86400"))
  }

  @Test("lines in the journal have a priority, and those elsewhere have not")
  func priorities() throws {
    let script = """
      exec 2> "$1"; [ "$2" ] && export JOURNAL_STREAM=$(stat -Lc %d:%i /dev/fd/2); "$0" /nope.mid
      """
    for (journal, start) in [("journal", "<3>synth: reading /nope.mid"), ("", "synth: reading /nope.mid")] {
      let log = directory.path("log\(journal)")
      _ = try Program.run(script: script, log, journal)
      let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
    }
    // A variable that was inherited with another file means nothing.
    let stale = try Program.run(["/nope.mid"], environment: ["JOURNAL_STREAM": "8:1234"])
    #expect(stale.errors.hasPrefix("synth: "))
  }
}
