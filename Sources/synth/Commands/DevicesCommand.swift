import ALSA

/// `synth devices`: lists the outputs.
struct DevicesCommand {
  init(_ tokens: [String]) throws(UsageError) {
    if let word = try Arguments(tokens, allowed: []).operands.first { throw .unexpectedOperand(word) }
  }

  func run() throws {
  }
}
