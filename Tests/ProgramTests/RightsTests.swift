import Foundation
import SynthKit
import Testing

@testable import synth

@Suite("Who may do what")
struct RightsTests {
  @Test("the table in docs/control.md has every command, of the synthesizer and of the program, with its least asker")
  func table() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/control.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: "## Who may do what")).upperBound
    var documented: [String: Asker] = [:]
    for line in text[start...].prefix(upTo: text[start...].range(of: "\n## ")?.lowerBound ?? text.endIndex)
      .split(separator: "\n")
    {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, let asker = Asker.allCases.first(where: { cells[0] == "`\($0)`" }) else { continue }
      for cell in cells[2].split(separator: ", ") where cell.hasPrefix("`") {
        documented[cell.trimmingCharacters(in: ["`"])] = asker
      }
    }
    let commands = Dictionary(CommandForm.all.map { ($0.name, $0.by) }) { first, _ in first }
    let all = commands.merging(PlayingHost.rights(playsSongs: true)) { synthesizer, _ in synthesizer }
    #expect(documented == all)
  }
}
