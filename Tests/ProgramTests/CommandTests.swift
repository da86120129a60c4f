import Foundation
import TestSupport
import Testing

@testable import synth

@Suite("synth")
struct CommandTests {
  @Test("plays a song on any ALSA output and says nothing when nobody looks on")
  func play() throws {
    let result = try Program.run([try TestFiles.song("busy_schedule.mid"), "--out", "null", "--rate", "8000"])
    #expect(result.status == 0)
    #expect(result.errors.isEmpty && result.output.isEmpty)
  }

  @Test("Ctrl-C ends a song with 130")
  func interrupted() throws {
    let directory = try TemporaryDirectory()
    let song = directory.path("long.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)])).write(to: URL(filePath: song))
    let result = try Program.run([song, "--out", "null"], interruptAfter: 1)
    #expect(result.status == 130)
    #expect(result.errors.isEmpty)
  }

  @Test("lists the 22 presets with their numbers, in 80 columns")
  func presets() throws {
    let result = try Program.run(["presets"])
    let lines = result.text.split(separator: "\n")
    #expect(
      lines.map { $0.split(separator: " ")[1] } == [
        "acoustic", "bass-booster", "bass-reducer", "classical", "dance", "deep", "electronic", "flat", "hip-hop",
        "jazz",
        "latin", "loudness", "lounge", "piano", "pop", "rnb", "rock", "small-speakers", "spoken-word", "treble-booster",
        "treble-reducer", "vocal-booster",
      ])
    #expect(lines.map { $0.split(separator: " ")[0] } == (1...22).map { "\($0)" })
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("draws a preset in 80 columns, in UTF-8 or in ASCII", arguments: ["C.UTF-8", "C"])
  func showPreset(locale: String) throws {
    let result = try Program.run(["presets", "show", "pop"], environment: ["LC_ALL": locale])
    #expect(result.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(result.text.utf8.allSatisfy { $0 < 128 } == (locale == "C"))
    #expect(result.text.contains("Pop (pop)"))
  }

  @Test(
    "each command has a page of help, which fits 80 columns and explains just its options",
    arguments: CommandName.allCases)
  func help(command: CommandName) throws {
    let page = try Program.run([command.rawValue, "--help"])
    #expect(page.status == 0 && page.text.hasPrefix("synth"))
    #expect(page.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try Program.run(["help", command.rawValue]).text == page.text)
    for option in Option.allCases {
      let isExplained = [" ", ","].contains { page.text.contains("\n  \(option.spellings[0])\($0)") }
      #expect(isExplained == command.command.options.contains(option), "\(option)")
    }
  }

  @Test("help is about all commands, unless one is named")
  func overview() throws {
    let overview = try Program.run(["--help"])
    #expect(try overview.status == 0 && overview.text == Program.run(["help"]).text)
    #expect(overview.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(overview.text.contains("\nsynth render SONG.mid … -o OUT "))
    #expect(try Program.run(["song.mid", "--help"]).text == Program.run(["play", "--help"]).text)
    for line in [["help", "render", "--help"], ["--help", "render"], ["help", "render", "-h"]] {
      #expect(try Program.run(line).text == Program.run(["render", "--help"]).text)
    }
    #expect(try Program.run(["help", "help"]).text == overview.text)
    let unknown = try Program.run(["help", "rendr"])
    #expect(
      unknown.errors == "synth: \"rendr\" is neither a command nor a file; did you mean render? — see synth --help\n")
    #expect(unknown.status == 2)
  }

  @Test("lists the oscillator instruments and the sampler, in 80 columns")
  func instruments() throws {
    let lines = try Program.run(["instruments"]).text.split(separator: "\n")
    #expect(lines.count >= 12)
    #expect(lines.contains { $0.hasPrefix("pad ") } && lines.contains { $0.hasPrefix("sampler ") })
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("plays a song on an oscillator instrument without any soundfont")
  func instrument() throws {
    let directory = try TemporaryDirectory()
    let song = directory.path("short.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 480)])).write(to: URL(filePath: song))
    let result = try Program.run(
      [song, "--instrument", "organ", "--out", "null", "--rate", "8000"], environment: ["SYNTH_SOUNDFONT": "/nope.sf2"])
    #expect(result.status == 0)
    #expect(result.errors.isEmpty && result.output.isEmpty)
  }

  @Test("lists the outputs alsa-lib has")
  func devices() throws {
    let result = try Program.run(["devices"])
    #expect(result.status == 0)
    #expect(result.text.contains("null"))
    #expect(result.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("tells its version")
  func version() throws {
    #expect(try Program.run(["--version"]).text == "synth 0.2.1\n")
  }
}
