import Foundation
import SynthAudioFiles
import TestSupport
import Testing

@Suite("scenes of the program", .timeLimit(.minutes(5)))
struct SceneProgramTests {
  private let directory: TemporaryDirectory
  private var home: [String: String] { ["XDG_STATE_HOME": directory.path("")] }

  init() throws { directory = try TemporaryDirectory() }

  private func render(_ words: String...) throws -> (result: Program.Result, samples: [Float]) {
    let song = directory.path("song.mid")
    let bytes = smf(format: 0, tracks: [note(60) + vlq(480) + [0x80, 60, 0] + end(after: 0)])
    try Data(bytes).write(to: URL(filePath: song))
    let result = try Program.run(
      ["render", song, "-o", directory.path("out.wav"), "--instrument", "pad", "--bits", "float"]
        + ["--limiter", "off", "--dry"] + words, environment: home)
    guard result.status == 0 else { return (result, []) }
    return (result, Array(try AudioFileReader(path: directory.path("out.wav")).readAll()[0]))
  }

  @Test("insert what they say into a rendering; one that passes everything changes no bit")
  func rendering() throws {
    let plain = try render().samples
    let bypassed = try directory.write(
      "bypassed.json",
      """
      {"strips": {"channel 1": {"inserts": [{"effect": "distortion", "bypass": true}]}},
       "buses": {"main": {"inserts": [{"effect": "pitch shift", "mix": 0}]}}}
      """)
    #expect(try render("--scene", bypassed).samples == plain && plain.contains { abs($0) > 0.01 })
    let echo = try directory.write("echo.json", #"{"strips": {"channel 1": {"inserts": ["echo"]}}}"#)
    #expect(try render("--scene", echo).samples.prefix(plain.count) != plain[...])
    let graph = try Program.run(["graph", "--scene", echo, "--instrument", "pad"], environment: home)
    #expect(graph.text.contains("channel 1 echo") && graph.status == 0)
  }

  @Test("are refused in a line with the place of the fault")
  func faults() throws {
    let wrong = try directory.write("wrong.json", #"{"buses": {"main": {"inserts": ["flanger"]}}}"#)
    let refused = try render("--scene", wrong).result
    #expect(refused.status == 1)
    #expect(
      refused.errors.hasPrefix("synth: reading scene \(wrong):1:33: buses.main.inserts[0]: expected an effect: "))
    let gone = try render("--scene", "gone").result
    #expect(gone.errors.contains("reading scene ") && gone.errors.contains("/synth/scenes/gone.json"))
    let stems = try Program.run(["render", "a.mid", "-o", "out/", "--stems", "drums", "--scene", wrong])
    #expect(
      stems.status == 2
        && stems.errors.contains("--stems are before the effects of scenes: leave --scene out"))
  }

  @Test("are saved by one start of the program, and inserted by the next")
  func restart() throws {
    func synth(_ words: String..., typing input: String) throws -> String {
      try Program.run(
        [try TestFiles.song("busy_schedule.mid"), "--out", "null", "--loop", "forever"] + words, environment: home,
        input: input
      ).errors
    }
    let saved = try synth(typing: "insert 10 compressor\nmix 10 1 50\ninsert main limiter\nscene save live\nquit\n")
    #expect(saved.contains("insert     channel 10: 1 compressor\n") && saved.contains("scene      live saved\n"))
    let typed = try synth("--scene", "live", typing: "insert\nmix 10 1\nremove 10 1\nquit\n")
    #expect(
      typed.contains("insert     channel 10: 1 compressor; main: 1 limiter\nmix        channel 10 insert 1 50 %\n"))
    #expect(typed.contains("insert     channel 10: none\n"))
  }
}
