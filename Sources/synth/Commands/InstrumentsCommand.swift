import SynthKit
import SynthText

/// `synth instruments`: lists the oscillator instruments, and those that are built in; as JSON too.
struct InstrumentsCommand: Command {
  static let options: [Option] = [.json]

  private let isJSON: Bool

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options)
    if let word = arguments.operands.first { throw .unexpectedOperand(word) }
    isJSON = arguments.has(.json)
  }

  func run() {
    let (patches, faults) = InstrumentLibrary.standard().patches()
    let lines =
      patches.map { (name: $0.name, description: $0.description) }
      + InstrumentChoice.builtIn.map { (name: $0.instrument.name, description: $0.description) }
    if isJSON {
      let objects = lines.map {
        JSONValue.object([("name", .string($0.name)), ("description", .string($0.description))])
      }
      return print(JSONValue.array(objects))
    }
    let width = lines.map { columns(visible($0.name)) }.max() ?? 0
    for (name, description) in lines { StandardOutput.show("\(padded(visible(name), width))  \(oneLine(description))") }
    for fault in faults { Terminal.warn("\(fault)") }
  }
}
