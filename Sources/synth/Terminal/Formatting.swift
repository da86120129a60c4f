import SynthDSP

/// Seconds as `m:ss`.
func clock(_ seconds: Double) -> String {
  guard seconds < 1e15 else { return "∞" }
  let whole = Int(max(0, seconds))
  let rest = whole % 60
  return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
}

/// A number with one decimal.
func tenths(_ value: Double) -> String {
  guard value.isFinite, abs(value) < 1e12 else { return value < 0 ? "-∞" : "∞" }
  let tenths = Int((abs(value) * 10).rounded())
  return "\(value < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
}

/// The whole number nearest to one that came from elsewhere, within ±10¹⁵; 0 for NaN.
func whole(_ number: Double) -> Int { number.isNaN ? 0 : Int(min(max(number.rounded(), -1e15), 1e15)) }

/// A bar of `width` cells, filled to a part between 0 and 1.
func bar(_ part: Double, width: Int) -> String {
  let filled = Int(max(0, min(1, part)) * Double(width))
  return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
}

/// A peak as a bar and a figure of always the same width; below -60 dB the bar is empty and says enough.
func meterText(peak: Float) -> String {
  let level = Decibels(amplitude: Double(peak)).value
  let figure = level < -60 ? "" : "\(tenths(level)) dB"
  return
    "\(bar((level + 60) / 60, width: 12)) \(String(repeating: " ", count: max(0, 8 - figure.count)))\(figure)"
}

/// A paragraph in lines of at most `width` columns.
///
/// - Parameter indent: how many blanks stand before each line but the first, and after a line's end in the text.
func wrapped(_ text: String, _ indent: Int, width: Int = 80) -> String {
  let margin = String(repeating: " ", count: indent)
  var lines: [String] = []
  for paragraph in text.split(separator: "\n") {
    var line = lines.isEmpty ? "" : margin
    var isEmpty = true
    for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
      let word = visible(String(word))
      if !isEmpty, columns(line) + 1 + columns(word) > width {
        lines.append(line)
        (line, isEmpty) = (margin, true)
      }
      line += isEmpty ? word : " \(word)"
      isEmpty = false
    }
    lines.append(line)
  }
  return lines.joined(separator: "\n")
}

/// A size: "512 kB", "148.4 MB".
func byteCount(_ count: Int) -> String {
  count < 1_000_000 ? "\(max(count / 1000, 1)) kB" : "\(tenths(Double(count) / 1e6)) MB"
}
