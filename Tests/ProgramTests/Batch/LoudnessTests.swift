import Foundation
import SynthAudioFiles
import SynthDSP
import SynthLoudness
import TestSupport
import Testing

@Suite("synth render --loudness", .timeLimit(.minutes(10)))
struct LoudnessTests {
  private let songs = SongFolder()
  private var manifest: String { songs.path("manifest.jsonl") }

  /// An organ for four seconds.
  private func add(_ name: String) throws {
    let track: [UInt8] = [0, 0xC0, 16] + note(60) + note(64, after: 1920) + end(after: 1920)
    try songs.add(name, bytes: smf(format: 0, tracks: [track]))
  }

  private func loudness(_ path: String) throws -> Loudness {
    let reader = try AudioFileReader(path: songs.path(path))
    let meter = try #require(LoudnessMeter(channelCount: reader.channelCount, sampleRate: reader.sampleRate))
    meter.add(try reader.readAll())
    return meter.loudness
  }

  private func lines() throws -> [[String: Any]] {
    try String(contentsOfFile: manifest, encoding: .utf8).split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  @Test("the file has the loudness asked for, the manifest says so, and nothing else is changed")
  func target() throws {
    try add("1.mid")
    #expect(try songs.render(into: "plain", "--bits", "float").status == 0)
    let result = try songs.render(into: "out", "--bits", "float", "--loudness", "-33", "--manifest", manifest)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let (plain, measured) = (try loudness("plain/1.wav"), try loudness("out/1.wav"))
    #expect(abs(measured.integrated.value + 33) < 0.01 && abs(measured.range.value - plain.range.value) < 0.01)
    let line = try #require(try lines().first)
    #expect(line["loudness"] as? Double == -33)
    #expect(abs((line["truePeak"] as? Double ?? 0) - measured.truePeak.value) < 0.01)
    #expect((line["settings"] as? [String: Any])?["loudness"] as? Double == -33)
    let samples = try AudioFileReader(path: songs.path("out/1.wav")).readAll().channels.map(Array.init)
    let original = try AudioFileReader(path: songs.path("plain/1.wav")).readAll().channels.map(Array.init)
    let factor = Float(Decibels(-33 - plain.integrated.value).amplitude)
    let isScaled = zip(samples[0], original[0]).allSatisfy { abs($0 - $1 * factor) <= 1e-5 * abs($0) + 1e-9 }
    #expect(isScaled && samples[0].count == original[0].count)
    let peak = (samples[0] + samples[1]).reduce(0) { max($0, abs($1)) }
    #expect(abs((line["peak"] as? Double ?? 0) - Double(peak)) < 1e-6)
  }

  @Test("a song whose true peak would exceed -1 dBTP stays quieter, and is told of")
  func truePeak() throws {
    try add("1.mid")
    for limiter in ["on", "off"] {
      let result = try songs.render(into: limiter, "--bits", "float", "--loudness", "-3", "--limiter", limiter)
      let measured = try loudness("\(limiter)/1.wav")
      #expect(abs(measured.truePeak.value + 1) < 0.01 && measured.integrated < -5)
      let figure = String(format: "%.1f", measured.integrated.value)
      #expect(
        result.errors
          == "synth: warning: \(songs.path("songs/1.mid")): it has \(figure) LUFS, not -3.0; louder, its true peak "
          + "would be above -1.0 dBTP\n")
      #expect(result.status == 0)
    }
  }

  @Test("a song that is too short to have a loudness is told of, and stays as it is")
  func short() throws {
    try songs.add("1.mid")
    let short = ["--longest", "0.1s", "--rate", "48000"]
    #expect(try Program.run(songs.arguments(into: "plain") + short).status == 0)
    let result = try Program.run(songs.arguments(into: "out") + short + ["--loudness", "-3"])
    let lines = result.errors.split(separator: "\n")
    #expect(result.status == 0 && lines.count == 2 && lines[0].hasSuffix("see --longest"), "\(result.errors)")
    #expect(lines.last?.hasSuffix("it is too short or too quiet to have a loudness, so it was made no louder") == true)
    #expect(try songs.files(in: "out") == songs.files(in: "plain"))
  }

  @Test("the bytes are the same for every number of jobs, into a pipe too, and no cache stays")
  func jobs() throws {
    for name in ["1.mid", "2.mid", "3.mid"] { try add(name) }
    #expect(try songs.render(into: "one", "--loudness", "-30", "--jobs", "1").status == 0)
    #expect(try songs.render(into: "three", "--loudness", "-30", "--jobs", "3").status == 0)
    let one = try songs.files(in: "one")
    let isSame = try songs.files(in: "three") == one
    #expect(isSame && one.keys.sorted() == ["1.wav", "2.wav", "3.wav"])
    let arguments = ["-o", "-", "--raw", "--rate", "8000", "--reverb", "off", "--loudness", "-30"]
    let raw = try Program.run(["render", songs.path("songs/1.mid")] + arguments).output
    let isWhole = raw.count > 10000 && one["1.wav"]?.suffix(raw.count) == raw
    #expect(isWhole)
  }

  @Test("another loudness is another setting for --resume")
  func resume() throws {
    try add("1.mid")
    for (loudness, count) in [("-23", 1), ("-23", 1), ("-24", 2), ("-24", 2), ("-23", 3)] {
      let arguments = ["--loudness", loudness, "--manifest", manifest, "--resume"]
      #expect(try Program.run(songs.arguments(into: "out") + arguments).status == 0)
      #expect(try lines().count == count)
    }
  }

  @Test("a disk without room for the cache is one line, and nothing stays")
  func noRoom() throws {
    try add("1.mid")
    let result = try Program.run(
      script: #"ulimit -f 20; mkdir "$2"; "$0" render "$1" -o "$2/1.wav" --loudness -23; ls -A "$2""#,
      songs.path("songs/1.mid"), songs.path("out"))
    #expect(result.errors == "synth: writing the cache for \(songs.path("out"))/1.wav: file too large\n")
    #expect(result.text.isEmpty)
  }

  @Test("what is no loudness is wrong usage", arguments: ["1", "loud", "-71", "nan", "-inf", ""])
  func usage(text: String) throws {
    let result = try Program.run(["render", "a.mid", "-o", "a.wav", "--loudness", text])
    let line = "--loudness \(text): give a loudness from -70 to 0 LUFS, as in -23 or -14 — see synth render --help"
    #expect(result.errors == "synth: \(line)\n" && result.status == 2)
  }
}
