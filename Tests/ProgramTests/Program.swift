import Foundation

/// The built program, run as a person runs it.
enum Program {
  struct Result {
    let status: Int32
    let output: Data
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// Runs `synth` with its own environment: no user directory, no sound device.
  ///
  /// - Parameters:
  ///   - input: what it reads from standard input.
  ///   - seconds: when `signal` is sent to it.
  ///   - isReady: asked for until it is true, for a minute at most; then `signal` is sent.
  static func run(
    _ arguments: [String], of executable: URL = executable, environment: [String: String] = [:], input: String? = nil,
    interruptAfter seconds: Double? = nil, interruptWhen isReady: (() -> Bool)? = nil, by signal: Int32 = SIGINT
  ) throws -> Result {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ["HOME": "/nonexistent", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    let pipe = Pipe()
    process.standardInput = input == nil ? FileHandle.nullDevice : pipe
    try process.run()
    if let input {
      try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try pipe.fileHandleForWriting.close()
    }
    // A program that hangs is killed, and its status then fails the test.
    DispatchQueue.global().asyncAfter(deadline: .now() + 180) {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    if let seconds {
      Thread.sleep(forTimeInterval: seconds)
      kill(process.processIdentifier, signal)
    }
    if let isReady {
      for _ in 0..<6000 where process.isRunning && !isReady() { usleep(10_000) }
      kill(process.processIdentifier, signal)
    }
    let told = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // As shells have it.
    let status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
    return Result(status: status, output: told, errors: String(decoding: complained, as: UTF8.self))
  }

  /// Runs a script of bash, in which `$0` is `synth`.
  static func run(script: String, _ arguments: String...) throws -> Result {
    try run(
      ["-c", script, executable.path] + arguments, of: URL(filePath: "/bin/bash"),
      environment: ["PATH": "/usr/bin:/bin"])
  }

  /// It is built beside the test bundle.
  static let executable: URL = {
    let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().appending(path: "synth")
  }()
}

/// What a person types into a shell.
enum Shell {
  static func run(_ line: String) throws -> Program.Result {
    try Program.run(
      ["-c", line], of: URL(filePath: "/bin/bash"), environment: ["PATH": "/usr/bin:/bin", "TERM": "xterm"])
  }
}
