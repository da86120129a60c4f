import SynthSoundFonts

/// `synth font`: tells what is in a soundfont, and what of it is broken.
struct FontCommand: Command {
  static let options: [Option] = [.json]

  private let path: String
  private let isJSON: Bool

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options)
    guard let path = arguments.operands.first else { throw .missing("name a soundfont to look into") }
    if arguments.operands.count > 1 { throw .unexpectedOperand(arguments.operands[1]) }
    self.path = path
    isJSON = arguments.has(.json)
  }

  func run() throws {
    let facts = FontFacts(try SoundFont(path: path))
    if isJSON {
      print(facts.json)
    } else {
      StandardOutput.show(Glyphs.ofLocale().plain(facts.page), terminator: "")
    }
  }
}
