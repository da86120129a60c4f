@preconcurrency import Glibc
import SynthDSP
import SynthKit
import SynthText

/// The table that `synth presets` prints: a line for each preset with its number, its name, the shape of its curve, and
/// what it is for. The numbers are those of the programs that choose presets.
struct PresetListing {
  var presets: [EqualizerPreset]
  var width = 80
  var glyphs = Glyphs.unicode

  /// The table, ending in a line break.
  var text: String {
    let nameWidth = presets.reduce(4) { max($0, $1.name.count) }
    return presets.enumerated().map { index, preset in
      let number = String(repeating: " ", count: "\(presets.count)".count - "\(index + 1)".count) + "\(index + 1)"
      let name = preset.name + String(repeating: " ", count: nameWidth - preset.name.count)
      let line = "\(number) \(name)  \(sparkline(of: preset.curve))  \(preset.description)"
      return String(glyphs.plain(visible(line)).prefix(width)) + "\n"
    }.joined()
  }

  /// A list of objects with `number`, `name`, `title`, `description` and `gains`, in decibels from 32 Hz to 16 kHz.
  var json: JSONValue {
    .array(
      presets.enumerated().map { index, preset in
        .object([
          ("number", .number(index + 1)), ("name", .string(preset.name)), ("title", .string(preset.title)),
          ("description", .string(preset.description)), ("gains", .array(preset.curve.gains.map { .number($0.value) })),
        ])
      })
  }

  /// A character for each band, lowest first; the scale reaches from −8 to 8 dB in every line, so that lines compare.
  private func sparkline(of curve: EqualizerCurve) -> String {
    let steps = glyphs.sparks
    return String(
      curve.gains.map { gain in
        let share = (min(max(gain.value, -8), 8) + 8) / 16
        return steps[Int((share * Double(steps.count - 1)).rounded())]
      })
  }
}

/// The characters that a terminal can show: all of Unicode, or ASCII alone.
struct Glyphs {
  /// Heights, from low to high.
  var sparks: [Character]
  /// A point that was asked for, on the line or off it.
  var asked: Character
  /// The achieved curve: flat within a column at the top, middle or bottom of its cell, or crossing it.
  var line: (top: Character, middle: Character, bottom: Character, upright: Character)
  var axis: Character, tick: Character, corner: Character, rule: Character, zero: Character

  static let unicode = Glyphs(
    sparks: Array("▁▂▃▄▅▆▇█"), asked: "●", line: ("▔", "─", "▁", "│"),
    axis: "│", tick: "┤", corner: "└", rule: "─", zero: "┄")

  static let ascii = Glyphs(
    sparks: Array("_.-=+*#@"), asked: "O", line: ("\"", "-", "_", "|"),
    axis: "|", tick: "+", corner: "+", rule: "-", zero: ".")

  /// What the locale of this process allows.
  static func ofLocale() -> Glyphs {
    // The first that is set and not empty decides, as POSIX says of locale categories.
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { (name: String) in
      getenv(name).map { String(cString: $0) }
    }
    let locale = variables.first { !$0.isEmpty }?.uppercased() ?? ""
    return locale.contains("UTF-8") || locale.contains("UTF8") ? .unicode : .ascii
  }

  /// A text in these characters; without Unicode dashes, arrows and the like become what is near them, and what is left
  /// a question mark.
  func plain(_ text: String) -> String {
    guard asked == Glyphs.ascii.asked else { return text }
    let likenesses: [Character: Character] = ["−": "-", "–": "-", "…": ".", "→": ">", "←": "<", "×": "x"]
    return String(text.map { $0.isASCII ? $0 : likenesses[$0] ?? "?" })
  }
}
