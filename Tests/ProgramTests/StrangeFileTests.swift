import Foundation
import TestSupport
import Testing

@testable import synth

@Suite("What is no file is refused with one line, wherever a file is named", .timeLimit(.minutes(5)))
struct StrangeFileTests {
  private let directory = try! TemporaryDirectory()

  @Test(
    arguments: [
      "info F", "F --out null", "render F -o OUT", "SONG --out null --soundfont F", "render SONG -o OUT --soundfont F",
      "render SONG -o OUT --soundfont F --engine fluidsynth", "SONG --out null --preset F",
      "SONG --out null --instrument F", "SONG --out null --config F", "font F",
    ])
  func refused(line: String) throws {
    let files = StrangeFiles(suffix: ".json")
    let song = try TestFiles.song
    let names = files.all.map(\.path).joined(separator: " ")
    let arguments = line.split(separator: " ").map { word in
      switch word {
      case "F": "\"$file\""
      case "SONG": song
      case "OUT": directory.path("x.wav")
      default: String(word)
      }
    }
    // A status of 124 or 137 is that of `timeout`.
    let result = try Program.run(
      script: """
        for file in \(names); do
          lines=$(timeout -k 5 60 "$0" \(arguments.joined(separator: " ")) 2>&1 >/dev/null </dev/null)
          echo "$? $(wc -l <<<"$lines") ${lines%%:*}"
        done
        """)
    // An error of usage is 2.
    let lines = result.text.split(separator: "\n")
    #expect(lines.count == files.all.count)
    #expect(lines.filter { !["1 1 synth", "2 1 synth"].contains($0) } == [], "\(names)")
  }

  @Test("A word of 400,000 letters is broken in the time of its letters")
  func longWord() {
    let lines = filled(String(repeating: "x", count: 400_000), 69)
    #expect(lines.count == 5798)
    #expect(lines.dropLast().allSatisfy { $0.count == 69 })
    #expect(lines.joined().count == 400_000)
  }
}
