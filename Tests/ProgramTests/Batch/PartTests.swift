import Foundation
import SynthAudioFiles
import TestSupport
import Testing

@Suite("synth render --start --end --tempo --transpose --loop", .timeLimit(.minutes(10)))
struct PartTests {
  private let songs = SongFolder()

  private func frameCount(_ output: String, _ arguments: String...) throws -> Int? {
    let path = songs.path(output)
    let result = try Program.run(
      ["render", songs.path("songs/1.mid"), "-o", path, "--rate", "8000", "--tail", "0"] + arguments)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return try AudioFileReader(path: path).frameCount
  }

  @Test("a file is as long as the part at its tempo")
  func lengths() throws {
    // A quarter of a second.
    try songs.add("1.mid")
    #expect(try frameCount("a.wav") == 2000)
    #expect(try frameCount("b.wav", "--tempo", "50%") == 4000)
    #expect(try frameCount("c.wav", "--start", "0.08", "--end", "0.2") == 960)
    #expect(try frameCount("d.wav", "--loop", "3") == 6000)
    #expect(try frameCount("g.wav", "--loop", "3", "--start", "0.08", "--end", "0.2") == 2880)
    #expect(try frameCount("h.wav", "--loop", "2", "--end", "0.25") == 4000)
    #expect(try frameCount("e.wav", "--loop", "0-0.2", "--longest", "2s") == 16000)
    #expect(try frameCount("f.wav", "--transpose", "2") == 2000)
    let isHigher = try songs.files(in: ".")["f.wav"] != songs.files(in: ".")["a.wav"]
    #expect(isHigher)
  }

  @Test("every number of jobs gives the same bytes, with stems and notes too")
  func jobs() throws {
    try songs.add(count: 8)
    let part = ["--start", "0.08", "--tempo", "80", "--transpose", "-3", "--loudness", "-20", "--notes"]
    let stems = ["--start", "0.08", "--tempo", "80", "--stems", "channel", "--notes"]
    for (name, options) in [("mix", part), ("stems", stems)] {
      for count in ["1", "4"] {
        let result = try Program.run(songs.arguments(into: name + count) + ["--jobs", count] + options)
        #expect(result.status == 0, "\(result.errors)")
      }
      let (one, four) = (try songs.files(in: name + "1"), try songs.files(in: name + "4"))
      let areSame = one == four && one.count >= 16
      #expect(areSame)
    }
  }

  @Test("a metronome clicks where it is asked for, and counts bars in front of the song, not in stems")
  func metronome() throws {
    try songs.add("1.mid")
    #expect(try frameCount("a.wav", "--metronome", "on") == 2000)
    // A bar is two seconds.
    #expect(try frameCount("b.wav", "--count-in", "1") == 18000)
    #expect(try frameCount("c.wav") == 2000)
    let files = try songs.files(in: ".")
    let hasClicks = files["a.wav"] != files["c.wav"]
    #expect(hasClicks)
    for option in ["--metronome", "--count-in"] {
      let wrong = try songs.render(into: "out", "--stems", "drums", option, option == "--metronome" ? "on" : "1")
      let line = "--stems have no metronome: leave \(option) out"
      #expect(wrong.status == 2 && wrong.errors == "synth: \(line) — see synth render --help\n", "\(wrong.errors)")
    }
  }

  @Test("the manifest has the part, and another part is rendered again")
  func resumed() throws {
    try songs.add(count: 2)
    let manifest = songs.path("manifest.jsonl")
    func rendered(_ part: String...) throws -> Int {
      let arguments = ["--manifest", manifest, "--resume"] + part
      let before = (try? String(contentsOfFile: manifest, encoding: .utf8))?.split(separator: "\n").count ?? 0
      #expect(try Program.run(songs.arguments(into: "out") + arguments).status == 0)
      return try String(contentsOfFile: manifest, encoding: .utf8).split(separator: "\n").count - before
    }
    #expect(try rendered() == 2)
    let parts = [
      ("--start", "0.1"), ("--end", "0.2"), ("--tempo", "80"), ("--transpose", "1"), ("--loop", "2"),
      ("--metronome", "on"), ("--count-in", "1"),
    ]
    for (option, value) in parts {
      #expect(try rendered(option, value) == 2)
      #expect(try rendered(option, value) == 0)
    }
  }

  @Test("a song that does not have the part fails by itself, and what has no end is wrong usage")
  func refusals() throws {
    try songs.add(count: 2)
    let result = try songs.render(into: "out", "--start", "2")
    let lines = ["0.mid", "1.mid"].map {
      "synth: rendering \(songs.path("songs/\($0)")): 0:02 is not in the song, which ends at 0:00.3"
    }
    #expect(result.status == 1 && lines.allSatisfy(result.errors.contains), "\(result.errors)")
    for loop in ["forever", "0:10-0:20"] {
      let wrong = try songs.render(into: "out", "--loop", loop)
      let line = "--loop \(loop) has no end: give how many times, as in 2, or where songs end with --longest"
      #expect(wrong.status == 2 && wrong.errors == "synth: \(line) — see synth render --help\n", "\(wrong.errors)")
    }
  }
}
