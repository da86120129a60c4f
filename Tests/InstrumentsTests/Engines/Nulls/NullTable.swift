import Foundation

/// The tables of docs/soundfonts.md, each behind a line that names it: `<!-- generated -->`.
struct NullTable {
  let name: String

  static let generated = NullTable(name: "generated")
  static let songs = NullTable(name: "songs")

  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../docs/soundfonts.md").standardized

  private var mark: String { "<!-- \(name) -->" }

  /// The rows, without the heading.
  func rows() throws -> [[String]] { try split().rows.dropFirst(2).map(Self.cells) }

  /// Replaces the rows.
  func write(_ rows: [[String]]) throws {
    let page = try split()
    let lines = rows.map { "| " + $0.joined(separator: " | ") + " |" }
    let text = page.before + page.rows.prefix(2) + lines + page.after
    try text.joined(separator: "\n").write(to: Self.page, atomically: true, encoding: .utf8)
  }

  private func split() throws -> (before: [String], rows: [String], after: [String]) {
    let lines = try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "\n")
    let start = (lines.firstIndex(of: mark) ?? lines.count - 1) + 1
    let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.count
    return (Array(lines[..<start]), Array(lines[start..<end]), Array(lines[end...]))
  }

  private static func cells(_ row: String) -> [String] {
    row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
