import Foundation
import SynthAudioFiles
import TestSupport
import Testing

@Suite("synth render", .timeLimit(.minutes(5)))
struct RenderTests {
  private let directory = try! TemporaryDirectory()

  /// Two seconds: a chord, and silence until the end of the track.
  private func chord() throws -> String {
    let track = [0x90, 60, 100, 0, 64, 100, 0, 67, 100].map { UInt8($0) }
    let bytes = smf(format: 0, tracks: [[0] + track + vlq(960) + [0x80, 60, 0, 0, 64, 0, 0, 67, 0] + end(after: 960)])
    let path = directory.path("chord.mid")
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  private func render(_ arguments: String...) throws -> AudioFileReader {
    let output = directory.path(arguments[0])
    let result = try Program.run(["render", try chord(), "-o", output] + arguments.dropFirst())
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return try AudioFileReader(path: output)
  }

  @Test("writes WAV and FLAC of the format asked for; the tail is rendered until it is silent")
  func formats() throws {
    let wav = try render("a.wav")
    #expect(wav.sampleRate == 48000 && wav.channelCount == 2)
    let frames = try #require(wav.frameCount)
    #expect(frames > 2 * 48000 && frames < 12 * 48000)
    #expect(try render("b.wav", "--bits", "16", "--rate", "44100").sampleRate == 44100)
    // 24 bits in WAV and in FLAC are the same samples.
    let samples = try wav.readAll().channels.map(Array.init)
    #expect(try render("d.flac").readAll().channels.map(Array.init) == samples)
    // Floats are exact: the rounded ones differ by half a step of 2⁻²³ at most, those with dither by a step more.
    let exact = try render("c.wav", "--bits", "float").readAll().channels.map(Array.init)
    let rounded = try render("e.wav", "--dither", "off").readAll().channels.map(Array.init)
    #expect(zip(exact[0], rounded[0]).allSatisfy { abs($0 - $1) <= 0x1p-24 })
    let isDithered = zip(exact[0], samples[0]).allSatisfy { abs($0 - $1) <= 0x1.8p-23 } && samples != rounded
    #expect(isDithered)
    let wrong = try Program.run(["render", try chord(), "-o", directory.path("a.wav"), "--dither", "some"])
    #expect(wrong.errors == "synth: --dither some: give on or off — see synth render --help\n" && wrong.status == 2)
  }

  @Test("as many voices sound as a song needs; with fewer, those that are ended or left out are told")
  func polyphony() throws {
    let keys = (0..<100).map { UInt8($0 + 20) }
    let on = keys.flatMap { [0, 0x90, $0, 100] as [UInt8] }
    let off = keys.enumerated().flatMap { [$0 == 0 ? 96 : 0, 0x80, $1, 0] as [UInt8] }
    let song = directory.path("cluster.mid")
    try Data(smf(format: 0, tracks: [on + off + end()])).write(to: URL(filePath: song))
    func render(_ options: String...) throws -> (line: String, errors: String) {
      let manifest = directory.path("m\(options.count).jsonl")
      let result = try Program.run(
        ["render", song, "-o", directory.path("c.wav"), "--manifest", manifest, "--rate", "8000"] + options)
      #expect(result.status == 0)
      return (try String(contentsOfFile: manifest, encoding: .utf8), result.errors)
    }
    let full = try render()
    #expect(full.errors.isEmpty && full.line.contains(#""stolenVoices": 0, "lostVoices": 0"#), "\(full)")
    let few = try render("--polyphony", "8")
    #expect(few.errors.contains("--polyphony allows") && !few.line.contains(#""lostVoices": 0"#), "\(few)")
    let other = try render("--polyphony", "8", "--engine", "fluidsynth")
    #expect(other.errors.contains("--polyphony allows") && !other.line.contains(#""lostVoices": 0"#), "\(other)")
    let wrong = try Program.run(["render", song, "-o", directory.path("c.wav"), "--polyphony", "5000"])
    #expect(wrong.status == 2 && wrong.errors.hasPrefix("synth: --polyphony 5000: "))
  }

  @Test("files are tagged with the song's title and what is said of them", arguments: ["wav", "flac", "ogg", "mp3"])
  func tags(name: String) throws {
    let song = directory.path("named.mid")
    try Data(smf(format: 0, tracks: [text(3, "Größe さくら") + note(60) + end(after: 240)])).write(to: URL(filePath: song))
    func tags(_ arguments: String...) throws -> [AudioFileTag: String] {
      let path = directory.path("named.\(name)")
      let result = try Program.run(["render", song, "-o", path, "--rate", "8000"] + arguments)
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      return try AudioFileReader(path: path).tags
    }
    let plain = try tags()
    #expect(plain[.title] == "Größe さくら" && plain[.software]?.hasPrefix("synth 0.2.1") == true && plain.count == 2)
    let given = try tags(
      "--tag", "title=", "--tag", "Artist=A=B", "--tag=software=", "--tag", "comment=", "--tag", "track=7")
    #expect(given == [.artist: "A=B", .track: "7"])
  }

  @Test("silence comes before the song, and the tail is as long as it is to be")
  func silenceAndTail() throws {
    let plain = try render("a.wav", "--bits", "float", "--tail", "1.5").readAll().channels.map(Array.init)
    // The track lasts two seconds.
    #expect(plain.map(\.count) == [168_000, 168_000])
    for loudness in [[], ["--loudness", "-30"]] {
      let output = directory.path("b.wav")
      let arguments = ["--bits", "float", "--tail", "0", "--silence", "0.25"] + loudness
      let result = try Program.run(["render", try chord(), "-o", output] + arguments)
      #expect(result.status == 0 && result.errors.isEmpty)
      let later = try AudioFileReader(path: output).readAll().channels.map(Array.init)
      #expect(later.map(\.count) == [108_000, 108_000])
      #expect(later[0].prefix(12000).allSatisfy { $0 == 0 } && later[0][12000..<13000].contains { $0 != 0 })
      let isSame = Array(later[1].dropFirst(12000)) == Array(plain[1].prefix(96000))
      #expect(isSame == loudness.isEmpty)
    }
    for option in ["--silence", "--tail"] {
      let wrong = try Program.run(["render", "a.mid", "-o", "a.wav", option, "-1"])
      let line = "synth: \(option) -1: give seconds from 0 to 3600, as in 0.5 — see synth render --help\n"
      #expect(wrong.errors == line && wrong.status == 2)
    }
  }

  @Test("what is no tag is wrong usage, and raw files have none")
  func wrongTags() throws {
    func errors(_ arguments: String...) throws -> String {
      try Program.run(["render", "a.mid"] + arguments).errors
    }
    let known = "title, artist, album, date, genre, track, copyright, comment, software"
    for text in ["artist", "=x", "band=x"] {
      #expect(
        try errors("-o", "a.wav", "--tag", text)
          == "synth: --tag \(text): give KEY=VALUE, as in artist=Me; KEY is one of \(known) — see synth render --help\n"
      )
    }
    #expect(
      try errors("-o", "a.raw", "--tag", "title=x")
        == "synth: --tag title=x: raw files have no tags, so leave it out — see synth render --help\n")
    #expect(
      try errors("-o", "a.aiff", "--tag", "album=x")
        == "synth: --tag album=x: AIFF files have no tag album, so leave it out — see synth render --help\n")
    #expect(
      try errors("-o", "a.mp3", "--bits", "16")
        == "synth: --bits is for WAV, FLAC and raw: MP3 has no bits, so leave it out — see synth render --help\n")
  }

  @Test("the same song gives the same file, every time")
  func deterministic() throws {
    _ = try render("a.wav")
    _ = try render("b.wav")
    #expect(
      try Data(contentsOf: URL(filePath: directory.path("a.wav")))
        == Data(contentsOf: URL(filePath: directory.path("b.wav"))))
  }

  @Test("what is loaded before playing makes no difference to a file")
  func preload() throws {
    let used = try render("used.wav").readAll().channels.map(Array.init)
    #expect(try render("all.wav", "--preload", "all").readAll().channels.map(Array.init) == used)
    #expect(used[0].contains { $0 != 0 })
    let wrong = try Program.run(["render", try chord(), "-o", directory.path("a.wav"), "--preload", "some"])
    #expect(wrong.errors == "synth: --preload some: give all or used — see synth render --help\n")
    #expect(wrong.status == 2)
  }

  @Test("a preset changes the sound, a channel map its place")
  func presetAndMap() throws {
    let flat = try render("flat.wav", "--bits", "float").readAll().channels.map(Array.init)
    let rock = try render("rock.wav", "--bits", "float", "--preset", "rock").readAll().channels.map(Array.init)
    #expect(flat != rock)
    let mapped = try render("map.wav", "--bits", "float", "--channels", "3", "--map=1,-1,0").readAll().channels.map(
      Array.init)
    // Compared as a whole first: an expectation would print every sample.
    let isMapped = mapped[0] == flat[1] && mapped[2] == flat[0]
    #expect(isMapped)
    #expect(mapped[1].allSatisfy { $0 == 0 })
  }

  @Test("- is standard output, as WAV or raw")
  func standardOutput() throws {
    let song = try chord()
    let wav = try Program.run(["render", song, "-o", "-", "--bits", "16"])
    #expect(wav.output.prefix(4) == Data("RIFF".utf8))
    let raw = try Program.run(["render", song, "-o", "-", "--raw", "--bits", "16"])
    #expect(wav.output.suffix(raw.output.count) == raw.output)
    #expect(raw.output.count > 2 * 48000 * 4)
  }

  @Test("several songs go into a directory, which is made")
  func several() throws {
    let out = directory.path("out") + "/"
    let result = try Program.run(["render", try chord(), try TestFiles.song, "-o", out, "--rate", "8000"])
    #expect(result.status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: out).sorted() == ["chord.wav", "tttheme2.wav"])
  }

  @Test("a directory may be named like a file")
  func directoryName() throws {
    let out = directory.path("album.mp3") + "/"
    let arguments = ["--rate", "8000", "--bits", "16", "--tag", "album=One"]
    let result = try Program.run(["render", try chord(), "-o", out] + arguments)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(try AudioFileReader(path: out + "chord.wav").tags[.album] == "One")
  }

  @Test("Ctrl-C leaves no file, and exits with 130")
  func interrupted() throws {
    let song = directory.path("long.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 3600)])).write(to: URL(filePath: song))
    let output = directory.path("long.wav")
    let result = try Program.run(["render", song, "-o", output], interruptAfter: 1)
    #expect(result.status == 130)
    #expect(result.errors.isEmpty)
    #expect(try directory.entries == ["long.mid"])
  }

  @Test("Ctrl-C leaves a file that is there already as it was")
  func interruptedReplacing() throws {
    let song = directory.path("long.mid")
    try Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 3600)])).write(to: URL(filePath: song))
    let output = try directory.write("long.wav", "an older rendering")
    let result = try Program.run(["render", song, "-o", output], interruptAfter: 1)
    #expect(result.status == 130)
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "an older rendering")
    #expect(try directory.entries == ["long.mid", "long.wav"])
  }

  @Test("standard output, a name for it and a named pipe get FLAC and Ogg", arguments: ["-", "/dev/stdout", "fifo"])
  func encodedPipe(target: String) throws {
    let script = """
      cd "$2" && mkfifo fifo
      if [ "$3" = fifo ]; then cat fifo & fi
      "$0" render "$1" -o "$3" --format "$4"
      wait
      """
    for (format, mark) in [("flac", "fLaC"), ("ogg", "OggS"), ("opus", "OggS")] {
      let folder = try TemporaryDirectory()
      let result = try Program.run(script: script, try chord(), folder.path(""), target, format)
      #expect(result.errors.isEmpty && result.output.starts(with: Array(mark.utf8)), "\(format): \(result.errors)")
      let copy = folder.path("copy.\(format)")
      try result.output.write(to: URL(filePath: copy))
      let whole = try render("whole.\(format)").readAll()
      #expect(try AudioFileReader(path: copy).readAll().channels.map(Array.init) == whole.channels.map(Array.init))
    }
  }

  @Test("a reader that goes away is a broken pipe")
  func brokenPipe() throws {
    let result = try Program.run(
      script: #""$0" render "$1" -o - | head -c 9 >/dev/null; echo ${PIPESTATUS[0]}"#, try chord())
    #expect(result.text == "1\n")
    #expect(
      result.errors == "synth: writing standard output: broken pipe — the program that was reading has ended\n")
  }

  @Test("a pipe that somebody has made non-blocking is waited for like any other")
  func nonBlocking() throws {
    let arguments = "render \"$1\" -o - --raw --bits 16"
    let waited = try Program.run(
      // The pipe is full before the program begins.
      script: "{ dd if=/dev/zero bs=4096 count=16 oflag=nonblock 2>/dev/null; \"$0\" \(arguments); }"
        + " | { sleep 5; tail -c +65537; }", try chord())
    #expect(waited.errors.isEmpty)
    #expect(waited.output == (try Program.run(script: "\"$0\" \(arguments)", try chord()).output))
  }
}
