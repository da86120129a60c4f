import ALSA
@preconcurrency import Glibc

/// `synth devices`: lists the devices, for a person or a program, or tells what comes and goes.
struct DevicesCommand {
  private enum Form {
    case text, json, watch
  }

  private let form: Form

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: [.json, .watch])
    if let word = arguments.operands.first { throw .unexpectedOperand(word) }
    if arguments.has(.json), arguments.has(.watch) { throw .missing("choose one of --json and --watch") }
    form = arguments.has(.json) ? .json : arguments.has(.watch) ? .watch : .text
  }

  func run() throws {
    switch form {
    case .text: print(DeviceListing().text, terminator: "")
    case .json: print(DeviceInventory.json)
    case .watch: try watch()
    }
  }

  private func watch() throws {
    let watch = SoundDeviceWatch()
    var known = present()
    Terminal.tell("Watching for devices; Ctrl-C ends it.")
    while !Interruption.isRequested {
      let found = present()
      for line in known where !found.contains(line) { print("- \(line)") }
      for line in found where !known.contains(line) { print("+ \(line)") }
      fflush(stdout)
      known = found
      watch.wait(milliseconds: 1000)
    }
    throw Interrupted()
  }

  /// What is there now, a line each.
  private func present() -> [String] {
    let cards = PCMDirection.allCases.flatMap { direction in
      PCMHardware.all(direction).map {
        "\(direction == .playback ? "output" : "input ")  \($0.id)  \($0.cardName), \($0.deviceName)"
      }
    }
    return cards + ((try? SequencerPort.instruments()) ?? []).map { "midi    \($0)" }
  }
}
