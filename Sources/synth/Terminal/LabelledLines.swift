/// Facts of a file as lines of 80 columns: a label, and what belongs to it beside it.
enum LabelledLines {
  static let width = 80
  /// Where facts begin.
  static let margin = 11
  static let mostEntries = 12
}

/// A labelled line, or several; none without a text.
func labelled(_ label: String, _ text: String?) -> [String] {
  let text = oneLine(text ?? "")
  return text.isEmpty ? [] : labelled(label, [text])
}

/// Entries under a label, each beginning on a line.
func labelled(
  _ label: String, _ entries: [String], most: Int = LabelledLines.mostEntries, count: Int? = nil, remedy: String = ""
) -> [String] {
  let rest = max(count ?? entries.count, entries.count) - min(most, entries.count)
  let shown = entries.prefix(most) + (rest > 0 ? ["and \(rest) more\(remedy)"] : [])
  let lines = shown.flatMap { filled($0, LabelledLines.width - LabelledLines.margin) }
  return lines.enumerated().map { padded($0 == 0 ? label : "", LabelledLines.margin) + $1 }
}
