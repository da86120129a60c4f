/// Lines of at most 80 columns, without what a terminal would interpret.
struct TextLines {
  private static let width = 80
  private var lines: [String] = []

  /// Ends in a line break.
  var text: String { lines.map { $0 + "\n" }.joined() }

  mutating func add(_ line: String) {
    var line = line.prefix(Self.width)
    while line.last == " " { line.removeLast() }
    lines.append(
      String(
        String.UnicodeScalarView(
          line.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 })))
  }

  /// Adds items, separated by semicolons, on as many lines as they need; what is longer than a line is broken between
  /// words.
  mutating func add(wrapped items: [String], indent: Int) {
    let margin = String(repeating: " ", count: indent)
    let most = Self.width - indent
    var line = ""
    for (index, item) in items.enumerated() {
      let item = item.shorteningWords(to: most - 3) + (index + 1 < items.count ? ";" : "")
      let fits = line.isEmpty || line.count + 1 + item.count <= most
      for (place, part) in (item.count > most ? item.split(separator: " ").map(String.init) : [item]).enumerated() {
        if line.isEmpty {
          line = part
        } else if (fits || place > 0) && line.count + 1 + part.count <= most {
          line += " " + part
        } else {
          add(margin + line)
          line = place == 0 ? part : "  " + part
        }
      }
    }
    if !line.isEmpty { add(margin + line) }
  }
}

extension String {
  /// With words that are not too long for a line; of a path its end says most.
  func shorteningWords(to most: Int) -> String {
    split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.count <= most ? String($0) : "…" + $0.suffix(most - 1) }
      .joined(separator: " ")
  }
}
