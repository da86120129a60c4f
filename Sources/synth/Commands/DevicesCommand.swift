@preconcurrency import Glibc
import SynthALSA

/// `synth devices`: lists the devices and the channels of those that are named, for a person or a program, or tells
/// what comes and goes.
struct DevicesCommand: Command {
  static let options: [Option] = [.json, .watch, .device, .channels, .input, .config]

  private enum Form {
    case text, json, watch
  }

  private let form: Form
  private let devices: DeviceOptions
  private let input: String

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(
      tokens, allowed: tokens.contains(Option.watch.rawValue) ? [.json, .watch] : Self.options
    ).configured([.device, .channels, .input])
    if let word = arguments.operands.first { throw .unexpectedOperand(word) }
    if arguments.has(.json), arguments.has(.watch) { throw .missing("choose one of --json and --watch") }
    devices = try DeviceOptions(arguments)
    input = try InputOptions.device(arguments)
    form = arguments.has(.json) ? .json : arguments.has(.watch) ? .watch : .text
  }

  func run() throws {
    switch form {
    case .text:
      let listing = DeviceListing(outputChannels: outputChannels, inputChannels: inputChannels)
      StandardOutput.show(listing.text, terminator: "")
    case .json: print(DeviceInventory.json(outputChannels, inputChannels))
    case .watch: try watch()
    }
  }

  private var outputChannels: ChannelListing { ChannelListing(outputs: devices.requests) }
  private var inputChannels: ChannelListing { ChannelListing(input: input) }

  private func watch() throws {
    let watch = SoundDeviceWatch()
    Interruption.watch()
    var known = present()
    Terminal.tell("Watching for devices; Ctrl-C ends it.")
    while !Interruption.isRequested {
      let found = present()
      for line in known where !found.contains(line) { StandardOutput.show("- \(line)") }
      for line in found where !known.contains(line) { StandardOutput.show("+ \(line)") }
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
