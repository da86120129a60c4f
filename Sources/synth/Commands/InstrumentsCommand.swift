import SynthKit

/// `synth instruments`: lists the oscillator instruments.
struct InstrumentsCommand {
  init(_ tokens: [String]) throws(UsageError) {
    if let word = try Arguments(tokens, allowed: []).operands.first { throw .unexpectedOperand(word) }
  }

  func run() {
    let (patches, faults) = InstrumentLibrary.standard().patches()
    let width = patches.reduce(4) { max($0, $1.name.count) }
    for patch in patches {
      print(patch.name + String(repeating: " ", count: width - patch.name.count) + "  " + patch.description)
    }
    for fault in faults { Terminal.warn("\(fault)") }
  }
}
