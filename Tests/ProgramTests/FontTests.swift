import Foundation
import TestSupport
import Testing

@Suite("synth font")
struct FontTests {
  private let directory = try! TemporaryDirectory()
  private let path = "soundfonts/synth-gm.sf2"

  /// The built-in font with other bytes at the start of the record of a table.
  private func damaged(_ tag: String, at offset: Int, _ bytes: [UInt8]) throws -> String {
    var font = Array(try Data(contentsOf: URL(filePath: path)))
    let chunk = try #require(font.indices.last { font[$0...].starts(with: tag.utf8) })
    font.replaceSubrange(chunk + 8 + offset..<chunk + 8 + offset + bytes.count, with: bytes)
    try Data(font).write(to: URL(filePath: directory.path("damaged.sf2")))
    return directory.path("damaged.sf2")
  }

  @Test("prints what it is, its presets in order with their zones, in 80 columns")
  func page() throws {
    let result = try Program.run(["font", path])
    #expect(result.status == 0 && result.errors.isEmpty)
    let expected = """
      soundfonts/synth-gm.sf2
      name       Synth GM
      by         The synth project
      copyright  MIT licence, as the program that made it
      comment    Synthesised; holds no recorded sound.
      file       SoundFont 2.04, 799 kB
      samples    153 samples, 16 bits, 5000 to 32072 Hz, 764 kB
      presets    129 presets of 170 instruments

           bank  program  name                                       zones
              0        0  Grand Piano                                    6
              0        1  Bright Piano                                   6

      """
    #expect(result.text.hasPrefix(expected), "\(result.text)")
    #expect(result.text.hasSuffix("    128        0  Standard Kit                                  61\n"))
    #expect(result.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("tells what is broken, with chunk and byte, and plays the rest")
  func broken() throws {
    // The first sample ends before it begins.
    let font = try damaged("shdr", at: 20, [9, 0, 0, 0, 1, 0, 0, 0])
    let text = try Program.run(["font", font], environment: ["LC_ALL": "C.UTF-8"]).text
    #expect(text.contains("\n\nbroken     sample 0 ("), "\(text)")
    #expect(text.contains("it has less than two words; it is silent"))
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(Program.run(["font", font, "--json"]).text.utf8)) as? [String: Any])
    #expect(json["problemCount"] as? Int == 1)
    let problem = try #require((json["problems"] as? [[String: Any]])?.first)
    #expect(problem["chunk"] as? String == "shdr" && problem["byte"] as? Int ?? 0 > 790_000)
  }

  @Test("gives a program everything, with every sample")
  func json() throws {
    let text = try Program.run(["font", path, "--json"]).text
    let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(json["version"] as? String == "2.04" && json["bits"] as? Int == 16 && json["byteCount"] as? Int == 799_216)
    #expect((json["samples"] as? [Any])?.count == 153 && json["problemCount"] as? Int == 0)
    let presets = try #require(json["presets"] as? [[String: Any]])
    #expect(presets.count == 129 && presets[0]["name"] as? String == "Grand Piano")
    #expect(presets[0]["zoneCount"] as? Int == 6 && presets[0]["bank"] as? Int == 0)
  }

  @Test("refuses what is no font in one line, with what is wrong and where")
  func refusals() throws {
    let nowhere = directory.path("nowhere.sf2")
    let missing = try damaged("igen", at: -8, Array("nope".utf8))
    for (words, line, status) in [
      (
        [missing],
        "reading the SoundFont \(missing): a chunk is missing (chunk igen) — the file is damaged: get it again", 1
      ),
      (
        [nowhere], "reading the SoundFont \(nowhere): no such file or directory — give the path of a .sf2 or .sf3 file",
        1
      ),
      ([], "name a soundfont to look into — see synth font --help", 2),
      (["a", "b"], "\"b\" is one word too many — see synth font --help", 2),
    ] as [([String], String, Int32)] {
      let result = try Program.run(["font"] + words)
      #expect(result.errors == "synth: \(line)\n" && result.status == status && result.text.isEmpty)
    }
  }
}
