import SynthKit

extension SynthesizerAnswer {
  /// The answer in the 80 columns of a terminal.
  var line: String {
    switch self {
    case .soundFonts, .values, .nodes, .setting, .routes: wrapped(text, 11)
    case .settings: text.split(separator: "\n").map { wrapped(String($0), 32) }.joined(separator: "\n")
    default: text
    }
  }
}
