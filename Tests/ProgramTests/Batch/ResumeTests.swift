import Foundation
import TestSupport
import Testing

@Suite("synth render --manifest --resume", .timeLimit(.minutes(10)))
struct ResumeTests {
  private let songs = SongFolder()
  private var manifest: String { songs.path("manifest.jsonl") }

  private func resume(_ arguments: String...) throws -> Program.Result {
    try Program.run(songs.arguments(into: "out") + ["--manifest", manifest, "--resume"] + arguments)
  }

  private func lines() throws -> [[String: Any]] {
    try String(contentsOfFile: manifest, encoding: .utf8).split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// The names of the songs that a run rendered.
  private func rendered(_ run: () throws -> Program.Result) throws -> Set<String> {
    let before = (try? lines().count) ?? 0
    _ = try run()
    return Set(
      try lines().dropFirst(before).compactMap { ($0["input"] as? String)?.split(separator: "/").last }.map(String.init)
    )
  }

  @Test("the manifest has what a rendering was made from, and what it became")
  func contents() throws {
    try songs.add("1.mid")
    try songs.add("bad.mid", bytes: [1, 2, 3])
    #expect(try resume("--jobs", "1").status == 1)
    let lines = try lines()
    #expect(lines.count == 2)
    let good = try #require(lines.first { $0["error"] == nil })
    #expect(good["outputBytes"] as? Int == (try songs.files(in: "out")["1.wav"])?.count)
    #expect((good["inputSHA256"] as? String)?.count == 64)
    let sum = try Shell.run("sha256sum \(songs.path("out/1.wav"))").text.prefix(64)
    #expect(good["outputSHA256"] as? String == String(sum))
    let settings = try #require(good["settings"] as? [String: Any])
    #expect(settings["rate"] as? Int == 8000)
    #expect((settings["soundfonts"] as? [[String: Any]])?.count == 1)
    let error = try #require(lines.compactMap { $0["error"] as? String }.first)
    #expect(error.contains("neither a MIDI nor an audio file"))
  }

  @Test("what is recorded of an instrument is its file")
  func patches() throws {
    try songs.add("1.mid")
    _ = try resume("--instrument", "pad")
    let settings = try #require(try lines().first?["settings"] as? [String: Any])
    #expect((settings["patches"] as? [String])?.map(\.count) == [64])
    #expect(settings["presetControl"] is NSNull)
    #expect(try rendered { try resume("--instrument", "pad") } == [])
  }

  @Test("a line that the disk has no room for is a failure with the system's reason")
  func fullDisk() throws {
    try songs.add("1.mid")
    // A file may have 1024 bytes here, and the line has some 900.
    let first = String(repeating: " ", count: 700) + "\n"
    try first.write(toFile: manifest, atomically: true, encoding: .utf8)
    let result = try Program.run(
      script: """
        trap '' XFSZ
        ulimit -f 1
        "$0" render $1 -o /dev/null --rate 8000 --manifest $2
        """, songs.path("songs/1.mid"), manifest)
    #expect(result.status == 1)
    #expect(result.errors.contains("writing manifest \(manifest): file too large; "), "\(result.errors)")
  }

  @Test("one song that is done is told of")
  func single() throws {
    try songs.add("1.mid")
    let output = songs.path("1.wav")
    let words = [
      "render", songs.path("songs/1.mid"), "-o", output, "--rate", "8000", "--manifest", manifest, "--resume",
    ]
    #expect(try Program.run(words).errors.isEmpty)
    let again = try Program.run(words)
    #expect(again.status == 0 && again.errors == "\(output) was done before, and is right\n")
  }

  @Test("only what is not done, or not as it was made, is rendered again")
  func again() throws {
    try songs.add(count: 3)
    #expect(try rendered { try resume() } == ["0.mid", "1.mid", "2.mid"])
    #expect(try rendered { try resume() } == [])
    // Other settings.
    #expect(try rendered { try resume("--preset", "rock") }.count == 3)
    #expect(try rendered { try resume("--preset", "rock") } == [])
    #expect(try rendered { try resume() }.count == 3)
    // Another input, a missing output, a damaged one of the same size, and one that was only touched.
    try songs.add("0.mid", key: 80)
    #expect(try rendered { try resume() } == ["0.mid"])
    try FileManager.default.removeItem(atPath: songs.path("out/1.wav"))
    #expect(try rendered { try resume() } == ["1.mid"])
    let path = URL(filePath: songs.path("out/2.wav"))
    var bytes = try Data(contentsOf: path)
    bytes[100] ^= 1
    try bytes.write(to: path)
    #expect(try rendered { try resume() } == ["2.mid"])
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path.path)
    #expect(try rendered { try resume() } == [])
  }

  @Test("killed at any moment and resumed, it completes to the same bytes; a file that has its name is whole")
  func killed() throws {
    try songs.add(count: 60)
    #expect(try songs.render(into: "whole").status == 0)
    let whole = try songs.files(in: "whole")
    var random = SplitMix64(seed: 1)
    // However fast the machine is, forty runs are killed: one that completes is followed by a new batch.
    var killCount = 0
    while killCount < 40 {
      let delay = 0.02 + 0.2 * Double(random.next(below: 1000)) / 1000
      let result = try Program.run(
        songs.arguments(into: "out") + ["--manifest", manifest, "--resume", "--jobs", "2"], interruptAfter: delay,
        by: SIGKILL)
      let named = try songs.files(in: "out").filter { !$0.key.hasPrefix(".") }
      let areWhole = named.allSatisfy { whole[$0.key] == $0.value }
      #expect(areWhole)
      if result.status != 0 {
        killCount += 1
      } else {
        #expect(named.count == whole.count)
        try FileManager.default.removeItem(atPath: songs.path("out"))
        try FileManager.default.removeItem(atPath: manifest)
      }
    }
    #expect(try resume().status == 0)
    // What the killed ones have left is gone.
    let isSame = try songs.files(in: "out") == whole
    #expect(isSame)
  }

  @Test("only a regular file is read, and what is piped on has a line for each song", .timeLimit(.minutes(5)))
  func noFile() throws {
    try songs.add(count: 2)
    for target in ["-", "/dev/stdout"] {
      let result = try songs.render(into: "out", "--manifest", target)
      #expect(result.status == 0 && result.text.split(separator: "\n").count == 2)
    }
    let full = try songs.render(into: "out", "--manifest", "/dev/full")
    let tail = "; name another file with --manifest\n"
    #expect(full.errors == "synth: writing manifest /dev/full: no space left on device" + tail && full.status == 1)
    let zero = try songs.render(into: "out", "--manifest", "/dev/zero", "--resume")
    #expect(zero.errors == "synth: writing manifest /dev/zero: not a regular file, which --resume reads" + tail)
    let twice = try Program.run(["render", songs.path("songs/0.mid"), "-o", "-", "--manifest", "-"])
    #expect(twice.status == 2)
  }

  @Test("what a killed program left of a line is taken away, and another's line is ended")
  func tornLine() throws {
    try songs.add(count: 2)
    #expect(try resume().status == 0)
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    try text.dropLast(40).write(toFile: manifest, atomically: false, encoding: .utf8)
    #expect(try rendered { try resume() }.count == 1)
    #expect(try rendered { try resume() } == [])
    #expect(try lines().count == String(contentsOfFile: manifest, encoding: .utf8).split(separator: "\n").count)
    for other in ["{\"input\": 1}", "a note"] {
      try other.write(toFile: manifest, atomically: false, encoding: .utf8)
      #expect(try rendered { try resume() }.count == 2)
      #expect(try String(contentsOfFile: manifest, encoding: .utf8).hasPrefix(other + "\n"))
    }
  }
}
