import SynthSoundFonts
import SynthText

extension FontFacts {
  /// A line for each fact, and the presets as a table, in 80 columns.
  var page: String {
    let texts = [("INAM", "name"), ("IENG", "by"), ("ICOP", "copyright"), ("ICRD", "date"), ("ICMT", "comment")]
    var facts = texts.compactMap { tag, label in
      font.information.first { $0.tag == tag }.map { (label, shortened($0.text)) }
    }
    facts += [("file", file), ("samples", waves), ("presets", presets)]
    return ([visible(font.path)] + facts.flatMap { labelled($0, $1) } + table + broken).map { $0 + "\n" }.joined()
  }

  /// Comments may be as long as a licence.
  private func shortened(_ text: String) -> String {
    text.count > 200 ? prefix(text, ofColumns: 200) + " …; --json has it all" : text
  }

  private var file: String { "SoundFont \(version), \(byteCount(font.byteCount))" }

  private var waves: String {
    let count = NumberFormatting.count(samples.count, "sample", "samples")
    let kind = vorbisCount == 0 ? "" : vorbisCount == samples.count ? ", Vorbis" : ", \(vorbisCount) of them Vorbis"
    let rates = Set(samples.map(\.sampleRate)).sorted()
    let range = rates.count > 1 ? "\(rates[0]) to \(rates[rates.count - 1]) Hz" : rates.first.map { "\($0) Hz" }
    return count + kind + (vorbisCount == samples.count ? "" : ", \(bits) bits") + (range.map { ", \($0)" } ?? "")
      + ", \(byteCount(font.sampleByteCount))"
  }

  private var presets: String {
    let count = NumberFormatting.count(font.presets.count, "preset", "presets")
    return "\(count) of \(NumberFormatting.count(font.instrumentCount, "instrument", "instruments"))"
  }

  private var table: [String] {
    guard !font.presets.isEmpty else { return [] }
    let rows = zip(font.presets, zoneCounts).sorted {
      ($0.0.bank, $0.0.program) < ($1.0.bank, $1.0.program)
    }
    return ["", row("bank", "program", "name", "zones")]
      + rows.map { row("\($0.bank)", "\($0.program)", oneLine($0.name), $1 == 0 ? "silent" : "\($1)") }
  }

  private func row(_ bank: String, _ program: String, _ name: String, _ zones: String) -> String {
    padded(bank, 9, atEnd: false) + padded(program, 9, atEnd: false) + "  "
      + padded(name, 40) + padded(zones, 8, atEnd: false)
  }

  private var broken: [String] {
    guard problemCount > 0 else { return [] }
    let lines = problems.map { oneLine($0.description) }
    return [""] + labelled("broken", lines, count: problemCount, remedy: "; --json tells of a hundred")
  }
}
