import Foundation

/// A bus of D-Bus for a test alone, and playerctl on it.
public final class SessionBus {
  private let daemon = Process()
  public let address: String

  public init() throws {
    let output = Pipe()
    daemon.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
    daemon.arguments = ["--session", "--nofork", "--print-address"]
    daemon.standardOutput = output
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    address = String(line.prefix { $0 != "\n" })
  }

  deinit { stop() }

  // A test's thread may have all other signals blocked, and its children too.
  public func stop() { kill(daemon.processIdentifier, SIGKILL) }

  /// Runs a client, while `turn` is called again and again: what it prints, without the last line's end.
  public func run(_ command: String, _ arguments: String..., turn: () -> Void) throws -> String {
    try run(command, arguments, turn: turn)
  }

  /// The same.
  public func run(_ command: String, _ arguments: [String], turn: () -> Void) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/\(command)")
    process.arguments = arguments
    process.environment = ["DBUS_SESSION_BUS_ADDRESS": address, "LC_ALL": "C.UTF-8"]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let isOver = eventually {
      turn()
      return !process.isRunning
    }
    if !isOver { kill(process.processIdentifier, SIGKILL) }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return String(text.drop { $0 == "\n" }.reversed().drop { $0 == "\n" }.reversed())
  }
}
