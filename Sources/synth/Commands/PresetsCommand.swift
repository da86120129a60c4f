import DSP
import SynthKit

/// `synth presets`, `synth presets show NAME`.
struct PresetsCommand: Command {
  static let options: [Option] = []

  private let shown: String?

  init(_ tokens: [String]) throws(UsageError) {
    let words = try Arguments(tokens, allowed: Self.options).operands
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
    let library = EqualizerPresetLibrary.standard()
    if let shown {
      let preset = try library.preset(shown)
      let design = try EqualizerDesign(curve: preset.curve, sampleRate: 48000, headroom: .everySine)
      print(PresetDrawing(preset: preset, design: design, glyphs: .ofLocale()).text, terminator: "")
    } else {
      let (presets, faults) = library.presets()
      print(PresetListing(presets: presets, glyphs: .ofLocale()).text, terminator: "")
      for fault in faults { Terminal.warn("\(fault)") }
    }
  }
}
