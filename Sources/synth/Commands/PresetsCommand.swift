import SynthDSP
import SynthKit
import SynthText

/// `synth presets`, as a table or as JSON, and `synth presets show NAME`.
struct PresetsCommand: Command {
  static let options: [Option] = [.json]

  private let shown: String?
  private let isJSON: Bool

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options)
    let words = arguments.operands
    isJSON = arguments.has(.json)
    switch words.first {
    case nil: shown = nil
    case "show":
      guard words.count > 1 else { throw .missing("name the preset to show") }
      if isJSON { throw .missing("--json is for the list: leave out show") }
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
      let drawing = PresetDrawing(preset: preset, design: design, glyphs: .ofLocale())
      StandardOutput.show(drawing.text, terminator: "")
    } else {
      let (presets, faults) = library.presets()
      let listing = PresetListing(presets: presets, glyphs: .ofLocale())
      if isJSON { print(listing.json) } else { StandardOutput.show(listing.text, terminator: "") }
      for fault in faults { Terminal.warn("\(fault)") }
    }
  }
}
