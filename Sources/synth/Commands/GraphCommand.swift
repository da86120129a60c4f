import AudioGraph
import SynthALSA
import SynthKit

/// `synth graph`: prints the chain that `synth` would play with the same options.
struct GraphCommand: Command {
  static let options = SoundOptions.options + DeviceOptions.options + [.json, .dot, .config]

  private enum Form {
    case text, json, dot
  }

  private let arguments: Arguments
  private let sound: SoundOptions
  private let devices: DeviceOptions
  private let form: Form

  init(_ tokens: [String]) throws(UsageError) {
    arguments = try Arguments(tokens, allowed: Self.options).configured(Self.options)
    if let word = arguments.operands.first { throw .unexpectedOperand(word) }
    if arguments.has(.json), arguments.has(.dot) {
      throw .missing("choose one of --json and --dot")
    }
    sound = try SoundOptions(arguments)
    devices = try DeviceOptions(arguments)
    form = arguments.has(.json) ? .json : arguments.has(.dot) ? .dot : .text
  }

  func run() throws {
    let synthesizer = try Synthesizer(try configuration(try Sound(sound)))
    let graph = synthesizer.engine.graphDescription
    switch form {
    case .text: StandardOutput.show(Glyphs.ofLocale().plain(graph.text), terminator: "")
    case .json: print(graph.json)
    case .dot: StandardOutput.show(graph.dot, terminator: "")
    }
  }

  /// What the devices grant; where none was named and none is there, what was asked for.
  private func configuration(_ sound: Sound) throws -> SynthesizerConfiguration {
    do {
      return try devices.adapted(sound.configuration(preload: .used([])), to: devices.open())
    } catch let error as PCMError {
      if arguments.has(.device) || !devices.assignments.isEmpty { throw error }
      let request = devices.requests[0]
      Terminal.tell("\(errorLine(error)); this is the graph for another device")
      return sound.configuration(
        preload: .used([]), sampleRate: request.sampleRate ?? 48000, channelCount: request.channelCount ?? 2)
    }
  }
}
