import SynthKit

/// `synth instruments`: lists the oscillator instruments, and those that are built in.
struct InstrumentsCommand: Command {
  static let options: [Option] = []

  init(_ tokens: [String]) throws(UsageError) {
    if let word = try Arguments(tokens, allowed: Self.options).operands.first { throw .unexpectedOperand(word) }
  }

  func run() {
    let (patches, faults) = InstrumentLibrary.standard().patches()
    let lines =
      patches.map { (name: $0.name, description: $0.description) }
      + InstrumentChoice.builtIn.map { (name: $0.instrument.name, description: $0.description) }
    let width = lines.map(\.name.count).max() ?? 0
    for (name, description) in lines {
      print(name + String(repeating: " ", count: width - name.count) + "  " + description)
    }
    for fault in faults { Terminal.warn("\(fault)") }
  }
}
