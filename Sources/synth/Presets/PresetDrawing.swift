@preconcurrency import Glibc
import SynthDSP
import SynthKit

/// What `synth presets show` prints: the curve over frequency, asked for and achieved, and the figures under it.
struct PresetDrawing {
  var preset: EqualizerPreset
  var design: EqualizerDesign
  var width = 80
  var glyphs = Glyphs.unicode

  /// Rows of the plot; an odd number, so that 0 dB is one of them.
  private let rows = 13

  /// What the decibel figures and the axis before the plot take up.
  private let margin = 7

  /// The drawing, ending in a line break.
  var text: String {
    let head = ["\(preset.title) (\(preset.name)): \(preset.description)", ""]
    return (head + plot + frequencyAxis + [legend, ""] + table + notes)
      .map { glyphs.plain(String(visible($0).prefix(width))) + "\n" }.joined()
  }

  private var columns: Int { max(width - margin - 1, 20) }

  /// Half the height of the plot in decibels: the smallest of 6, 12, 18 … that holds the curve.
  private var reach: Double {
    let highest = preset.curve.gains.reduce(0) { max($0, abs($1.value)) }
    return max(6, (highest / 6).rounded(.up) * 6)
  }

  private var plot: [String] {
    var cells = Array(repeating: Array(repeating: Character(" "), count: columns), count: rows)
    cells[rows / 2] = Array(repeating: glyphs.zero, count: columns)
    for column in 0..<columns { drawCurve(in: column, &cells) }
    for (frequency, gain) in zip(EqualizerCurve.frequencies, preset.curve.gains) {
      cells[Int(height(of: gain).rounded())][column(of: frequency)] = glyphs.asked
    }
    return cells.enumerated().map { row, cells in
      let isLabelled = row % 3 == 0
      let level = Decibels(reach * (1 - 2 * Double(row) / Double(rows - 1)))
      let figure = isLabelled ? (level > 0 ? "+" : "") + level.figure(decimals: 0) : ""
      let label = row == 0 ? figure + " dB" : isLabelled ? figure + "   " : ""
      return padded(label, margin - 1) + String(isLabelled ? glyphs.tick : glyphs.axis) + String(cells)
    }
  }

  /// The achieved curve in one column: a stroke at the height it has, or all the cells it crosses.
  private func drawCurve(in column: Int, _ cells: inout [[Character]]) {
    let frequency = frequency(at: Double(column))
    guard frequency < design.sampleRate / 2 else { return }
    let here = height(of: design.response(atHertz: frequency))
    let before = height(of: design.response(atHertz: self.frequency(at: Double(column) - 0.5)))
    let next = min(self.frequency(at: Double(column) + 0.5), design.sampleRate / 2)
    let after = height(of: design.response(atHertz: next))
    let (from, to) = (Int(min(before, after).rounded()), Int(max(before, after).rounded()))
    if to - from > 1 {
      for row in from...to { cells[row][column] = glyphs.line.upright }
      return
    }
    let row = Int(here.rounded())
    let offset = here - Double(row)
    cells[row][column] =
      offset < -1.0 / 6 ? glyphs.line.top : offset > 1.0 / 6 ? glyphs.line.bottom : glyphs.line.middle
  }

  /// The row of a level, 0 at the top; clamped to the plot.
  private func height(of level: Decibels) -> Double {
    let share = (1 - level.value / reach) / 2
    return min(max(share, 0), 1) * Double(rows - 1)
  }

  /// From 20 Hz in the first column to 20 kHz in the last, by equal ratios.
  private func frequency(at column: Double) -> Double {
    20 * pow(1000, column / Double(columns - 1))
  }

  private func column(of frequency: Double) -> Int {
    Int((log(frequency / 20) / log(1000) * Double(columns - 1)).rounded())
  }

  private var frequencyAxis: [String] {
    var figures = Array(repeating: Character(" "), count: columns)
    for frequency in EqualizerCurve.frequencies {
      let figure = name(of: frequency)
      let start = min(max(column(of: frequency) - figure.count / 2, 0), columns - figure.count)
      figures.replaceSubrange(start..<(start + figure.count), with: figure)
    }
    let rule = String(glyphs.corner) + String(repeating: glyphs.rule, count: columns)
    return [padded("", margin - 1) + rule, padded("Hz ", margin) + String(figures)]
  }

  private var legend: String {
    let line = String(repeating: glyphs.line.middle, count: 2)
    return padded("", margin) + "\(glyphs.asked) asked for   \(line) achieved at \(kilohertz) kHz, before the pre-cut"
  }

  private var table: [String] {
    let bands = EqualizerCurve.frequencies.map { name(of: $0) }
    let asked = preset.curve.gains.map { $0.figure(decimals: 2) }
    let achieved = EqualizerCurve.frequencies.enumerated().map { band, frequency in
      design.droppedBands.contains(band) ? "none" : design.response(atHertz: frequency).figure(decimals: 2)
    }
    return [("band, Hz", bands), ("asked, dB", asked), ("achieved", achieved)].map { title, cells in
      title + String(repeating: " ", count: max(0, 10 - title.count)) + cells.map { padded($0, 7) }.joined()
    }
  }

  private var notes: [String] {
    var notes = ["pre-cut \(design.preCut): no tone leaves louder than it came"]
    if !design.droppedBands.isEmpty {
      let lost = design.droppedBands.map { name(of: EqualizerCurve.frequencies[$0]) }.joined(separator: ", ")
      notes.append("a sample rate of \(kilohertz) kHz cannot carry the bands at \(lost) Hz: they are left out")
    }
    return notes
  }

  private var kilohertz: String {
    let rate = Int(design.sampleRate.rounded())
    return rate % 1000 == 0 ? "\(rate / 1000)" : "\(Double(rate) / 1000)"
  }

  private func name(of frequency: Double) -> String {
    frequency < 1000 ? "\(Int(frequency))" : "\(Int(frequency / 1000))k"
  }

  private func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
