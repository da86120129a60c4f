import Foundation
import SynthText
import TestSupport
import Testing

@testable import synth

@Suite("What comes from outside is shown, and not obeyed by the terminal")
struct VisibleTextTests {
  private let directory = try! TemporaryDirectory()
  /// It would set the title, ring, colour, turn the text and begin lines.
  private static let nasty = "a\u{1B}]0;x\u{7}\u{9B}31m\u{202E}\u{2066}\u{2028}\r\n\tb\u{7F}"
  private static let shown = #"a\x1B]0;x\x07\x9B31m\u202E\u2066\u2028\r\n\tb\x7F"#

  private func isPlain(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0 != "\n" && $0.isInterpretedByTerminals }
  }

  @Test("as escapes; marks, joiners and what is written from right to left stay")
  func escapes() {
    #expect(visible(Self.nasty) == Self.shown)
    #expect(visible("a\nb\r", lines: true) == "a\nb\\r")
    for text in ["Mélodie e\u{301}", "\u{200F}שלום", "👩\u{200D}🎤", #"\x1B"#, ""] { #expect(visible(text) == text) }
    #expect(oneLine("a\r\nb\u{1B}c \n") == #"a  b\x1Bc"#)
  }

  @Test("JSON has no such character either, and is read as what it was")
  func json() throws {
    let text = JSONValue.string(Self.nasty).description
    #expect(isPlain(text))
    #expect(try JSONValue(parsing: Array(text.utf8)).text == Self.nasty)
  }

  @Test("broken lines count what is shown")
  func width() {
    let line = wrapped("synth: " + Array(repeating: Self.nasty, count: 4).joined(separator: " "), 7, width: 60)
    #expect(isPlain(line))
    #expect(line.split(separator: "\n").allSatisfy { $0.count <= 60 } && line.contains(Self.shown))
    #expect(StyledText(Self.nasty).text == Self.shown)
    let status = StatusLine("0:01  ", name: "\u{1B}\u{1B}\u{1B}\u{1B}\u{1B}\u{1B}\u{1B}", facts: "", width: 30)
    #expect(columns(status.rest) <= 32)
    #expect(suffix("ab漢字", ofColumns: 3) == "字")
  }

  @Test("names of files, in errors, facts and answers")
  func files() throws {
    let path = directory.path("\(Self.nasty).mid")
    for arguments in [
      ["info", path], ["render", path, "-o", directory.path("a.wav")], ["play", path, "--out", "null"],
    ] {
      let result = try Program.run(arguments)
      #expect(result.status == 1 && isPlain(result.errors) && result.errors.contains(Self.shown), "\(arguments[0])")
    }
    let song = [text(3, "\u{202E}T\u{1B}"), text(6, "M\u{9B}", after: 9), text(5, "L\u{2028}")]
    try Data(smf(format: 0, tracks: [(song + [note(60), end()]).flatMap(\.self)])).write(to: URL(filePath: path))
    for arguments in [["info", path], ["info", "--json", path]] {
      let result = try Program.run(arguments, environment: ["SYNTH_SOUNDFONT": try TestFiles.soundFont])
      #expect(result.status == 0 && isPlain(result.text) && result.errors.isEmpty, "\(result.text)")
    }
    let commands = "record \(directory.path("\u{1B}[2J.wav"))\nstatus\nquit\n"
    let played = try Program.run([path, "--out", "null"], input: commands)
    #expect(isPlain(played.errors) && played.errors.contains(#"\x1B[2J.wav"#), "\(played.errors)")
  }

  @Test("a song of silence alone is silence of its length")
  func silence() throws {
    let (path, target) = (directory.path("rest.mid"), directory.path("rest.wav"))
    try Data(smf(format: 0, tracks: [tempo(1_000_000) + end(after: 960)])).write(to: URL(filePath: path))
    let rendered = try Program.run(["render", path, "-o", target, "--tail", "0"])
    #expect(rendered.status == 0, "\(rendered.errors)")
    let facts = try Program.run(["info", target]).text
    #expect(facts.contains("length     0:02, ") && facts.contains("peak       -∞ dB"), "\(facts)")
    #expect(try Program.run([path, "--out", "null"]).status == 0)
  }
}
