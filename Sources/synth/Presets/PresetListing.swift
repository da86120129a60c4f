import DSP
import SynthKit

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
      return String(glyphs.plain(line).prefix(width)) + "\n"
    }.joined()
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
