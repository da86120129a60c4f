import Foundation
import SynthAudioFiles
import TestSupport
import Testing

@Suite("synth render --stems", .timeLimit(.minutes(10)))
struct StemFileTests {
  private let songs = SongFolder()

  /// A bass on channel 3, drums, and a note of channel 1 between.
  private func addBand(_ name: String) throws {
    let strikes: [[UInt8]] = [[0x92, 36, 100], [0x90, 60, 90], [0x99, 38, 110]].map { [0] + $0 }
    let releases: [[UInt8]] = [[0x82, 36, 0], [0x80, 60, 0], [0x89, 38, 0]].map { [0] + $0 }
    let track = [0, 0xC2, 32] + strikes.flatMap(\.self) + vlq(400) + releases.flatMap(\.self).dropFirst() + end()
    try songs.add(name, bytes: smf(format: 0, tracks: [track]))
  }

  private func stems(into output: String, _ arguments: String...) throws -> Program.Result {
    let paths = [songs.path("songs"), "-o", songs.path(output) + "/", "--rate", "8000"]
    return try Program.run(["render"] + paths + ["--stems"] + arguments)
  }

  @Test("each song becomes a directory, the same byte by byte for every number of jobs; its files add up to the mix")
  func channels() throws {
    try addBand("band.mid")
    try addBand("deep/er.mid")
    let result = try stems(into: "1", "channel", "--bits", "float", "--jobs", "1")
    #expect(result.status == 0 && result.errors == "2 rendered, 0 failed\n", "\(result.errors)")
    let files = try songs.files(in: "1")
    let names = ["01 Acoustic Grand Piano", "03 Acoustic Bass", "10 Drums", "FX1 Reverb", "FX2 Chorus"]
    #expect(files.keys.sorted() == (["band/", "deep/er/"].flatMap { folder in names.map { "\(folder)\($0).wav" } }))
    _ = try stems(into: "2", "channel", "--bits", "float", "--jobs", "2")
    let isSame = try songs.files(in: "2") == files
    #expect(isSame)

    let mix = songs.path("mix.wav")
    _ = try Program.run(
      ["render", songs.path("songs/band.mid"), "-o", mix, "--rate", "8000", "--bits", "float", "--limiter", "off"])
    let expected = Array(try AudioFileReader(path: mix).readAll()[0])
    var sum = [Float](repeating: 0, count: expected.count)
    for name in names {
      let stem = try AudioFileReader(path: songs.path("1/band/\(name).wav")).readAll()[0]
      #expect(stem.count == sum.count)
      for frame in sum.indices { sum[frame] += stem[frame] }
    }
    let isMix = sum == expected && sum.contains { $0 != 0 }
    #expect(isMix)
  }

  @Test("drums and the rest, dry, are two files")
  func drums() throws {
    try addBand("band.mid")
    #expect(try stems(into: "out", "drums", "--dry", "--format", "flac").status == 0)
    #expect(try songs.files(in: "out").keys.sorted() == ["band/01 Drums.flac", "band/02 Rest.flac"])
  }

  @Test("tracks are the same byte by byte for every number of jobs, and their notes name them")
  func tracks() throws {
    let tracks = [UInt8(60), 64].map { text(3, "Voice") + note($0) + vlq(200) + [0x80, $0, 0] + end() }
    try songs.add("duet.mid", bytes: smf(tracks: tracks))
    try addBand("band.mid")
    for count in ["1", "2"] {
      #expect(try stems(into: count, "track", "--dry", "--notes", "--jobs", count).status == 0)
    }
    // A song that is cut is so in all its stems.
    #expect(try stems(into: "cut", "track", "--dry", "--longest", "0.2s").status == 0)
    for name in ["01", "02"] {
      #expect(try AudioFileReader(path: songs.path("cut/duet/\(name) Voice.wav")).frameCount == 1600)
    }
    let files = try songs.files(in: "1")
    let isSame = try songs.files(in: "2") == files
    #expect(isSame)
    #expect(
      files.keys.sorted() == [
        "band/01 Acoustic Grand Piano.wav", "band/notes.jsonl", "duet/01 Voice.wav", "duet/02 Voice.wav",
        "duet/notes.jsonl",
      ])
    let notes = String(decoding: files["duet/notes.jsonl"] ?? Data(), as: UTF8.self).split(separator: "\n")
    #expect(notes.count == 2 && notes[0].contains("\"01 Voice\"") && notes[1].contains("\"02 Voice\""))
  }

  @Test("--notes are beside each file, or among its stems, and the same for every number of jobs")
  func notes() throws {
    try addBand("band.mid")
    try songs.add("1.mid")
    #expect(try songs.render(into: "mixes", "--notes", "--jobs", "1").status == 0)
    let mixes = try songs.files(in: "mixes")
    #expect(mixes.keys.sorted() == ["1.notes.jsonl", "1.wav", "band.notes.jsonl", "band.wav"])
    _ = try songs.render(into: "again", "--notes", "--jobs", "2")
    let isSame = try songs.files(in: "again") == mixes
    #expect(isSame)

    #expect(try stems(into: "stems", "channel", "--notes").status == 0)
    let notes = try #require(try songs.files(in: "stems")["band/notes.jsonl"])
    let lines = try String(decoding: notes, as: UTF8.self).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.compactMap { $0["stem"] as? String } == ["03 Acoustic Bass", "01 Acoustic Grand Piano", "10 Drums"])
    #expect(lines.compactMap { $0["channel"] as? Int } == [3, 1, 10])
    #expect(lines.allSatisfy { $0["firstSample"] as? Int == 0 && $0["endTick"] as? Int == 400 })
  }

  @Test("--dry is reverb and chorus off, also without stems")
  func dry() throws {
    try songs.add("1.mid")
    #expect(try songs.render(into: "off", "--chorus", "off").status == 0)
    let arguments = ["render", songs.path("songs"), "-o", songs.path("dry") + "/", "--rate", "8000", "--dry"]
    #expect(try Program.run(arguments).status == 0)
    let isSame = try songs.files(in: "dry") == songs.files(in: "off")
    #expect(isSame)
  }

  @Test("a resumed batch renders songs again whose stems are not all there, or are divided otherwise")
  func resume() throws {
    try addBand("band.mid")
    func lineCount(_ words: String...) throws -> Int {
      let paths = [songs.path("songs"), "-o", songs.path("out") + "/", "--rate", "8000"]
      _ = try Program.run(["render"] + paths + ["--manifest", songs.path("m.jsonl"), "--resume", "--stems"] + words)
      return try String(contentsOfFile: songs.path("m.jsonl"), encoding: .utf8).split(separator: "\n").count
    }
    #expect(try lineCount("channel") == 1)
    #expect(try lineCount("channel") == 1)
    try FileManager.default.removeItem(atPath: songs.path("out/band/FX1 Reverb.wav"))
    #expect(try lineCount("channel") == 2)
    #expect(try lineCount("drums") == 3)
    #expect(try lineCount("drums") == 3)
    #expect(try lineCount("drums", "--notes") == 4)
    #expect(try lineCount("drums", "--notes") == 4)
    try FileManager.default.removeItem(atPath: songs.path("out/band/notes.jsonl"))
    #expect(try lineCount("drums", "--notes") == 5)
  }

  @Test("a song that fails leaves no directory")
  func failure() throws {
    try addBand("band.mid")
    let result = try stems(into: "out", "channel", "--format", "flac", "--bits", "float")
    #expect(result.status == 1)
    #expect(!FileManager.default.fileExists(atPath: songs.path("out/band")))
  }

  @Test("a file where a directory of stems is to be is one line of error, and stays")
  func noDirectory() throws {
    try addBand("band.mid")
    try FileManager.default.createDirectory(atPath: songs.path("out"), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: songs.path("out/band")))
    let result = try stems(into: "out", "channel")
    #expect(
      result.errors == "synth: creating \(songs.path("out"))/band: not a directory\nsynth: 0 rendered, 1 failed\n")
    #expect(try songs.files(in: "out") == ["band": Data("x".utf8)])
  }

  @Test("what a killed program left among stems is removed")
  func leftovers() throws {
    try addBand("band.mid")
    try FileManager.default.createDirectory(atPath: songs.path("out/band"), withIntermediateDirectories: true)
    for place in ["out", "out/band"] {
      try Data().write(to: URL(filePath: songs.path("\(place)/.synth-1-1.part")))
    }
    #expect(try stems(into: "out", "drums", "--dry").status == 0)
    #expect(try songs.files(in: "out").keys.sorted() == ["band/01 Drums.wav", "band/02 Rest.wav"])
  }

  @Test("what stems cannot be is wrong usage, in one line")
  func usage() throws {
    for (words, line) in [
      (["--stems", "key"], "--stems key: give channel, track or drums"),
      (["--stems", "drums", "-o", "x.wav"], "--stems need a directory: -o OUT/"),
      (["--stems", "drums", "-o", "-"], "--stems need a directory: -o OUT/"),
      (
        ["--stems", "drums", "--preset", "rock"],
        "--stems are stereo and before the equalizer: leave --preset out"
      ),
      (["--stems", "drums", "--limiter", "on"], "--stems are before the limiter: leave --limiter on out"),
      (["--stems", "drums", "--rate", "192000"], "--rate 192000: give at most 96000 with --stems"),
      (["--notes", "-o", "-"], "--notes are written beside a file: -o FILE or -o OUT/"),
      (["--dry", "--reverb", "plate"], "--dry leaves reverb, chorus and delay out: leave --reverb out too, or --dry"),
    ] {
      let result = try Program.run(["render", "song.mid", "-o", "out/"] + words)
      #expect(result.errors == "synth: \(line) — see synth render --help\n" && result.status == 2)
    }
  }
}
