import Foundation
import SynthAudioFiles
import TestSupport
import Testing

@Suite("Songs with their own bank", .timeLimit(.minutes(5)))
struct SongBankTests {
  private static let builtInFont = "soundfonts/synth-gm.sf2"
  private let directory = try! TemporaryDirectory()
  private let song = smf(format: 0, tracks: [text(3, "Notes") + [0, 0xC0, 19] + note(60) + end(after: 240)])

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(filePath: directory.path(name)))
    return directory.path(name)
  }

  private func own(bank: [UInt8]? = nil, _ info: (tag: String, bytes: [UInt8])...) throws -> String {
    let bank = try bank ?? Array(Data(contentsOf: URL(filePath: Self.builtInFont)))
    return try write("own.rmi", rmid(song, bank: bank, info: [("DBNK", [0, 0])] + info))
  }

  private func samples(_ path: String, _ fonts: String...) throws -> Data {
    let output = directory.path("out.raw")
    let result = try Program.run(
      ["render", path, "-o", output, "--raw", "--rate", "22050"] + fonts.flatMap { ["--soundfont", $0] },
      environment: ["SYNTH_SOUNDFONT": try TestFiles.soundFont])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return try Data(contentsOf: URL(filePath: output))
  }

  @Test("are rendered with it on top of the font that is found, and with a font that is named alone")
  func rendered() throws {
    let (own, plain, font) = (try own(), try write("plain.mid", song), try TestFiles.soundFont)
    let sound = try samples(own)
    let isBank = try sound == samples(plain, font, Self.builtInFont)
    #expect(isBank)
    let named = try samples(own, font)
    let isFont = try named == samples(plain, font)
    #expect(isFont && named != sound)
  }

  @Test("that is damaged or of another kind are told of in one line, and played with the font")
  func refused() throws {
    let plain = try samples(write("plain.mid", song))
    let damaged = riff("RIFF", Array("sfbk".utf8) + [1, 2, 3, 4])
    for (bank, reason) in [(damaged, "its bank: "), (riff("RIFF", Array("DLS ".utf8)), "its bank: DLS")] {
      let path = try own(bank: bank)
      let output = directory.path("own.raw")
      let result = try Program.run(
        ["render", path, "-o", output, "--raw", "--rate", "22050"],
        environment: ["SYNTH_SOUNDFONT": try TestFiles.soundFont])
      #expect(result.status == 0 && result.errors.hasPrefix("synth: warning: \(path): \(reason)"), "\(result.errors)")
      #expect(result.errors.hasSuffix("; played without its own instruments\n"))
      #expect(result.errors.count { $0 == "\n" } == 1)
      let isPlain = try Data(contentsOf: URL(filePath: output)) == plain
      #expect(isPlain)
    }
  }

  @Test("are told of by info: what they bring, whether it is played, and what they say about themselves")
  func info() throws {
    let path = try own(("INAM", Array("Daisy".utf8)), ("IGNR", Array("Waltz".utf8)), ("IPRD", Array("Songs".utf8)))
    let page = try Program.run(["info", path]).text
    for line in ["title      Daisy", "album      Songs", "genre      Waltz", "bank       SoundFont \""] {
      #expect(page.contains(line), "\(page)")
    }
    #expect(page.contains("played, with ") && page.contains("0:0 "))
    let named = try Program.run(["info", path, "--soundfont", try TestFiles.soundFont]).text
    #expect(named.contains("not played"), "\(named)")
    let json = try Program.run(["info", "--json", path]).text
    #expect(json.contains("\"offset\": 0, \"isPlayed\": true, \"presets\": [{\"bank\": 0, \"program\": 0,"), "\(json)")
  }

  @Test("hand on what they say about themselves as tags")
  func tags() throws {
    let path = try own(("IART", Array("Harry".utf8)), ("ICRD", Array("1892".utf8)), ("ICOP", Array("none".utf8)))
    let output = directory.path("tagged.flac")
    #expect(try Program.run(["render", path, "-o", output, "--rate", "22050"]).status == 0)
    let tags = try AudioFileReader(path: output).tags
    #expect(tags[.artist] == "Harry" && tags[.date] == "1892" && tags[.copyright] == "none" && tags[.title] == "Notes")
  }
}
