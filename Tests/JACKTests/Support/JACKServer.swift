import Foundation
import SynthJACK
import TestSupport

/// A JACK server without hardware and without real-time scheduling, for a test alone; the clients that this process
/// opens are its own.
final class JACKServer {
  /// One for each checkout: JACK has room for eight servers, those that were killed included, until one of the same
  /// name starts.
  static let name = "synth-test-" + String(#filePath.utf8.reduce(5381) { ($0 &* 33 ^ Int($1)) & 0xFFFFFF })

  private let sampleRate: Int
  private let period: Int
  private let waits: Bool
  private var daemon = Process()

  /// - Parameter waits: whether a cycle ends only when all clients are done, however slow the machine is. The server
  ///   plays a cycle later otherwise, and counts those that came too late.
  init(sampleRate: Int = 48000, period: Int = 256, waits: Bool = true) throws {
    (self.sampleRate, self.period, self.waits) = (sampleRate, period, waits)
    _ = Self.clear
    try start()
  }

  deinit { kill() }

  /// Removes what killed servers and clients have left behind, where no server runs: libjack waits for ever for a lock
  /// in its database of properties. Before libjack is loaded, which has them in memory from then on.
  private static let clear: Void = {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let isRunning = processes.contains { process in
      Int(process) != nil && (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) == "jackd\n"
    }
    guard !isRunning else { return }
    for name in ["jack_db-\(getuid())", "jack-shm-registry"] {
      try? FileManager.default.removeItem(atPath: "/dev/shm/\(name)")
    }
  }()

  func start() throws {
    daemon = Process()
    daemon.executableURL = URL(filePath: "/usr/bin/jackd")
    daemon.arguments =
      ["-n", Self.name, "-r", "-t", "5000"] + (waits ? ["-S"] : [])
      + ["-d", "dummy", "-r", "\(sampleRate)", "-p", "\(period)"]
    daemon.environment = ["JACK_NO_AUDIO_RESERVATION": "1", "PATH": "/usr/bin"]
    daemon.standardOutput = FileHandle.nullDevice
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    let answers = eventually {
      (try? JACKStream(JACKRequest(clientName: "question", serverName: JACKServer.name, connects: false))) != nil
    }
    // Another of the name may run since a test was killed.
    guard answers, Foundation.kill(daemon.processIdentifier, 0) == 0 else { throw JACKServerError() }
  }

  /// Ends it without a farewell. A test's thread may have all other signals blocked, and its children too.
  func kill() {
    Foundation.kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
  }

  /// Runs one of JACK's programs: what it prints.
  @discardableResult
  func run(_ program: String, _ arguments: String...) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/\(program)")
    process.arguments = arguments
    process.environment = ["JACK_DEFAULT_SERVER": Self.name, "JACK_NO_START_SERVER": "1"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    if !eventually({ !process.isRunning }) { Foundation.kill(process.processIdentifier, SIGKILL) }
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
}

struct JACKServerError: Error {}
