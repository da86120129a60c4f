import Foundation
import TestSupport
import Testing

@testable import synth

@Suite("The history of commands")
struct CommandHistoryTests {
  private let directory = try! TemporaryDirectory()

  private func history() -> CommandHistory { CommandHistory(at: directory.path("state/synth/history")) }

  @Test("is there at the next start, without blank lines and without repetitions")
  func kept() throws {
    var first = history()
    for line in ["preset pop", "", "  ", "gain -3", "gain -3", "preset pop"] { first.add(line) }
    first.keep()
    #expect(history().lines == ["preset pop", "gain -3", "preset pop"])
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.path("state/synth/history"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("of two programs at once has the lines of both")
  func two() {
    var (first, second) = (history(), history())
    first.add("gain -1")
    second.add("gain -2")
    second.keep()
    first.keep()
    first.keep()
    #expect(history().lines == ["gain -2", "gain -1"])
  }

  @Test("has 500 lines at most")
  func long() {
    var history = history()
    for number in 0..<600 { history.add("seek \(number)") }
    history.keep()
    #expect(self.history().lines == (100..<600).map { "seek \($0)" })
  }

  @Test("is empty where there is no place for it, or where the file is anything")
  func noPlace() throws {
    var nowhere = CommandHistory(at: nil)
    nowhere.add("gain -3")
    nowhere.keep()
    #expect(nowhere.lines == ["gain -3"])
    var refused = CommandHistory(at: "/proc/none/history")
    refused.add("gain -3")
    refused.keep()
    let path = try directory.write("anything", "\u{0}\u{1B}[2J\n\n")
    #expect(CommandHistory(at: path).lines == ["\u{0}\u{1B}[2J"])
  }
}
