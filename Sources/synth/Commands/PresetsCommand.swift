import SynthKit

/// `synth presets`, `synth presets show NAME`.
struct PresetsCommand {
  private let shown: String?

  init(_ tokens: [String]) throws(UsageError) {
    let words = try Arguments(tokens, allowed: []).operands
    switch words.first {
    case nil: shown = nil
    case "show":
      guard words.count > 1 else { throw .missing("name the preset to show") }
      if words.count > 2 { throw .unexpectedOperand(words[2]) }
      shown = words[1]
    case .some(let word): throw .unexpectedOperand(word)
    }
  }

  func run() throws {
  }
}
