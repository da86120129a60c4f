import Foundation
import SynthAudioFiles
import TestSupport
import Testing

@Suite("synth render, many files", .timeLimit(.minutes(10)))
struct BatchTests {
  private let songs = SongFolder()

  @Test("a folder's songs are found below it, its tree is kept, and links that lead back are passed over")
  func tree() throws {
    for name in ["b.mid", "a.MIDI", "deep/er/c.kar", "deep/d.rmi", "deep/e.smf", "deep/twin.mid", "deep/twin.kar"] {
      try songs.add(name)
    }
    try songs.add("readme.txt", bytes: Array("no song".utf8))
    try songs.add(".hidden.mid")
    try FileManager.default.createSymbolicLink(atPath: songs.path("songs/deep/loop"), withDestinationPath: "..")
    let result = try songs.render(into: "out", "--format", "flac")
    #expect(result.status == 0 && result.errors == "7 rendered, 0 failed\n", "\(result.errors)")
    #expect(
      try songs.files(in: "out").keys.sorted() == [
        "a.flac", "b.flac", "deep/d.flac", "deep/e.flac", "deep/er/c.flac", "deep/twin.kar.flac", "deep/twin.mid.flac",
      ])
    #expect(try AudioFileReader(path: songs.path("out/deep/er/c.flac")).sampleRate == 8000)
  }

  @Test("standard input lists songs, a line each or with a NUL after each")
  func lists() throws {
    try songs.add("1.mid")
    try songs.add("with a\nline.mid")
    let (first, second) = (songs.path("songs/1.mid"), songs.path("songs/with a\nline.mid"))
    for (input, output, count) in [("\(first)\n", "lines", 1), ("\(first)\0\(second)\0", "nuls", 2)] {
      let result = try Program.run(["render", "-", "-o", songs.path(output) + "/", "--rate", "8000"], input: input)
      #expect(result.status == 0 && result.errors == (count == 1 ? "" : "2 rendered, 0 failed\n"))
      #expect(try songs.files(in: output).count == count)
    }
  }

  @Test("what is no regular file is passed over in folders", .timeLimit(.minutes(5)))
  func pipes() throws {
    try songs.add("1.mid")
    #expect(mkfifo(songs.path("songs/pipe.mid"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: songs.path("songs/link.mid"), withDestinationPath: "1.mid")
    try FileManager.default.createSymbolicLink(atPath: songs.path("songs/zero.mid"), withDestinationPath: "/dev/zero")
    #expect(try songs.render(into: "out").status == 0)
    #expect(try songs.files(in: "out").keys.sorted() == ["1.wav", "link.wav"])
  }

  @Test("a list and several folders keep the paths of their songs, and no path leads out of the output directory")
  func places() throws {
    for name in ["tree/a/x.mid", "tree/b/x.mid", "tree/b/x.kar", "up.mid"] { try songs.add(name) }
    let script =
      #"cd "$1/songs/tree" && ( find . -name 'x.*'; printf 'a/x.mid\r\n../up.mid\r\n' ) | "$0" render - -o ../../list/"#
    let list = try Program.run(script: script, songs.path(""))
    #expect(list.status == 0 && list.errors == "4 rendered, 0 failed\n", "\(list.errors)")
    #expect(try songs.files(in: "list").keys.sorted() == ["a/x.wav", "b/x.kar.wav", "b/x.mid.wav", "up.wav"])
    let folders = try Program.run(
      script: #"cd "$1/songs" && "$0" render tree/a tree/b -o ../folders/"#, songs.path(""))
    #expect(folders.status == 0, "\(folders.errors)")
    #expect(
      try songs.files(in: "folders").keys.sorted() == ["tree/a/x.wav", "tree/b/x.kar.wav", "tree/b/x.mid.wav"])
    let absolute = try Program.run(["render", "-", "-o", songs.path("abs") + "/"], input: songs.path("songs/up.mid"))
    #expect(absolute.status == 0)
    #expect(try songs.files(in: "abs/\(songs.path("songs"))").keys.sorted() == ["up.wav"])
  }

  @Test("two songs for one file are one line of error, and the others are rendered")
  func sameTarget() throws {
    for name in ["a/x.mid", "b/x.mid", "y.mid"] { try songs.add(name) }
    let (first, second) = (songs.path("songs/a/x.mid"), songs.path("songs/b/x.mid"))
    let result = try Program.run(
      ["render", first, second, first, songs.path("songs/y.mid"), "-o", songs.path("out") + "/", "--rate", "8000"])
    #expect(
      result.errors
        == "synth: rendering \(second): \(first) becomes \(songs.path("out"))/x.wav; render them into different "
        + "directories\nsynth: 2 rendered, 1 failed\n")
    #expect(result.status == 1)
    #expect(try songs.files(in: "out").keys.sorted() == ["x.wav", "y.wav"])
  }

  @Test("an output directory that cannot be made is told of once, with its cause")
  func noDirectory() throws {
    try songs.add(count: 3)
    let file = try songs.directory.write("file", "")
    for output in ["file", "file/deeper"] {
      let result = try songs.render(into: output)
      #expect(result.errors == "synth: creating \(file): not a directory\n" && result.status == 1, "\(result.errors)")
    }
    let proc = try Program.run(["render", songs.path("songs"), "-o", "/proc/out/"])
    #expect(proc.errors == "synth: creating /proc/out: no such file or directory — create its directory first\n")
  }

  @Test("a file, a folder and a rendering may have any bytes as their name, wherever it comes from")
  func bytesOfNames() throws {
    try songs.add("1.mid")
    let script = #"""
      cd "$1"; name=$(printf 'caf\351'); mkdir "songs/$name"; mv songs/1.mid "songs/$name/$name.mid"
      "$0" render songs -o folder/ --manifest m.json
      printf '%s\0' "songs/$name/$name.mid" | "$0" render - -o list/
      "$0" render "songs/$name/$name.mid" -o "$name.wav"
      "$0" info "songs/$name/$name.mid"
      "$0" render songs -o folder/ --manifest m.json --resume
      for file in "folder/$name/$name.wav" "list/songs/$name/$name.wav" "$name.wav"; do test -s "$file" || exit 9; done
      """#
    let result = try Program.run(script: script, songs.path(""))
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.text.contains(#"caf\xE9/caf\xE9.mid"#), "\(result.text)")
  }

  @Test("a folder or a list without songs is named")
  func noSongs() throws {
    try FileManager.default.createDirectory(atPath: songs.path("songs"), withIntermediateDirectories: true)
    let line = "no .mid, .midi, .kar, .rmi, .smf, .xmi or .mus file; name others\n"
    #expect(try songs.render(into: "out").errors == "synth: looking for songs in \(songs.path("songs")): " + line)
    #expect(
      try Program.run(["info", "-"], input: "\r\n").errors
        == "synth: looking for songs in the list on standard input: " + line)
    let audio = songs.path("songs/take.flac")
    try Data().write(to: URL(filePath: audio))
    #expect(
      try songs.render(into: "out").errors.hasSuffix(
        " or .mus file; name audio files themselves, as in \(audio)\n"))
  }

  @Test("info takes folders and lists as well")
  func info() throws {
    try songs.add(count: 3)
    let folder = songs.path("songs")
    for (operand, input) in [(folder, ""), ("-", "\(folder)/0.mid\n\(folder)/1.mid\r\n\(folder)/2.mid")] {
      let result = try Program.run(["info", "--json", operand], input: input)
      let pages = try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]]
      #expect(pages?.compactMap { $0["file"] as? String } == (0..<3).map { "\(folder)/\($0).mid" })
      #expect(result.status == 0)
    }
  }

  @Test("the files are the same, byte by byte, for every number of jobs, and as each song rendered by itself")
  func jobs() throws {
    try songs.add(count: 9)
    try songs.add(
      "real.mid", bytes: Array(Data(contentsOf: URL(filePath: try TestFiles.song("busy_schedule.mid"))).prefix(3000)))
    for count in ["1", "2", "3", "8", "auto"] {
      // What is cut short is told of.
      #expect(try songs.render(into: count, "--jobs", count).status == 0)
    }
    let one = try songs.files(in: "1")
    #expect(one.count == 10)
    for count in ["2", "3", "8", "auto"] {
      let isSame = try songs.files(in: count) == one
      #expect(isSame, "\(count) jobs")
    }
    for name in ["0", "5", "real"] {
      let alone = songs.path("alone.wav")
      let arguments = ["render", songs.path("songs/\(name).mid"), "-o", alone, "--rate", "8000", "--reverb", "off"]
      #expect(try Program.run(arguments).status == 0)
      let isSame = try Data(contentsOf: URL(filePath: alone)) == one["\(name).wav"]
      #expect(isSame, "\(name)")
    }
  }

  @Test("broken files are told of, one line each, and the others are rendered")
  func brokenFiles() throws {
    try songs.add(count: 3)
    try songs.add("bad.mid", bytes: Array("This is no song.".utf8))
    try songs.add("empty.mid", bytes: [])
    try songs.add("nothing.mid", bytes: smf(format: 0, tracks: [end()]))
    let result = try songs.render(into: "out", "--jobs", "2")
    #expect(result.status == 1)
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 4 && lines.last == "synth: 3 rendered, 3 failed", "\(result.errors)")
    for name in ["bad", "empty", "nothing"] { #expect(lines.contains { $0.contains("songs/\(name).mid: ") }) }
    #expect(try songs.files(in: "out").keys.sorted() == ["0.wav", "1.wav", "2.wav"])
  }

  @Test("a song that is too long ends at --longest, and says so")
  func longest() throws {
    try songs.add("days.mid", bytes: smf(format: 0, division: 1, tracks: [note(60) + end(after: 0xFFF_FFFF)]))
    let result = try songs.render(into: "out", "--longest", "2")
    #expect(
      result.errors
        == "synth: warning: \(songs.path("songs/days.mid")): it lasts 37282.7 hours and its tail; "
        + "ended after 0:02, see --longest\n")
    #expect(result.status == 0)
    #expect(try AudioFileReader(path: songs.path("out/days.wav")).frameCount == 16000)
  }

  @Test("a soundfont that cannot be loaded is told of once, before the first song")
  func badSoundFont() throws {
    try songs.add(count: 3)
    let result = try songs.render(into: "out", "--soundfont", "/nope.sf2")
    #expect(result.errors.split(separator: "\n").count == 1 && result.errors.contains("/nope.sf2"))
    #expect(result.status == 1)
  }

  @Test("lossy files are the same, byte by byte, for every number of jobs", arguments: ["ogg", "opus", "mp3"])
  func lossyJobs(format: String) throws {
    try songs.add(count: 3)
    for count in ["1", "3"] {
      let result = try songs.render(into: count, "--jobs", count, "--format", format)
      #expect(result.status == 0 && result.errors == "3 rendered, 0 failed\n", "\(result.errors)")
    }
    let one = try songs.files(in: "1")
    let isSame = try songs.files(in: "3") == one
    #expect(isSame && one.keys.sorted() == ["0.\(format)", "1.\(format)", "2.\(format)"])
    #expect(try AudioFileReader(path: songs.path("1/0.\(format)")).readAll()[0].contains { abs($0) > 0.01 })
  }

  @Test("a format that no file can have ends the batch at its first song")
  func impossible() throws {
    try songs.add(count: 9)
    let result = try songs.render(into: "out", "--format", "flac", "--bits", "float", "--jobs", "1")
    #expect(
      result.status == 1 && result.errors.hasSuffix("synth: 0 rendered, 1 failed, 8 not tried\n"), "\(result.errors)")
  }

  @Test("a file that does not fit is one line, and nothing of it stays; what was there is as it was")
  func noRoom() throws {
    try songs.add("1.mid")
    let old = songs.path("out/1.wav")
    try FileManager.default.createDirectory(atPath: songs.path("out"), withIntermediateDirectories: true)
    try Data("an older rendering".utf8).write(to: URL(filePath: old))
    let result = try Program.run(
      script: #"ulimit -f 2; "$0" render "$1" -o "$2" --reverb off"#, songs.path("songs/1.mid"), old)
    #expect(result.errors == "synth: writing \(old): file too large\n" && result.status == 1)
    #expect(try songs.files(in: "out") == ["1.wav": Data("an older rendering".utf8)])
  }

  /// A mount namespace needs root.
  private static let canMount = (try? Shell.run("unshare -m mount -t tmpfs none /mnt").status) == 0

  @Test("a full disk ends the batch in one line, and keeps what is whole", .enabled(if: canMount))
  func fullDisk() throws {
    try songs.add(count: 3)
    try FileManager.default.createDirectory(atPath: songs.path("out"), withIntermediateDirectories: true)
    // Half a second of 24-bit stereo at 48 kHz is 144 KB.
    let result = try Program.run(
      script: """
        unshare -m bash -c 'mount -t tmpfs -o size=64k none "$2" || exit 9
        "$0" render "$1" -o "$2" --reverb off --jobs 1; status=$?; ls -A "$2"; exit $status' "$0" "$1" "$2"
        """, songs.path("songs"), songs.path("out"))
    #expect(
      result.errors
        == "synth: writing \(songs.path("out"))/0.wav: no space left on device — free some, or write elsewhere with -o\n"
        + "synth: 0 rendered, 1 failed, 2 not tried\n")
    #expect(result.status == 1 && result.text.isEmpty, "\(result.text)")
  }

  @Test("Ctrl-C leaves no half file", arguments: [SIGINT, SIGTERM])
  func interrupted(_ signal: Int32) throws {
    try songs.add("short.mid")
    try songs.add("long.mid", bytes: smf(format: 0, tracks: [note(60) + end(after: 960 * 3600 * 5)]))
    let result = try Program.run(
      songs.arguments(into: "out") + ["--jobs", "2"], interruptAfter: 1, by: signal)
    #expect(result.status == 128 + signal)
    #expect(try songs.files(in: "out").keys.allSatisfy { $0 == "short.wav" })
  }

  @Test("shards are disjoint, and together they are all")
  func shards() throws {
    try songs.add(count: 5)
    for shard in 1...3 { #expect(try songs.render(into: "\(shard)", "--shard", "\(shard)/3").status == 0) }
    #expect(try songs.files(in: "1").keys.sorted() == ["0.wav", "3.wav"])
    #expect(try songs.files(in: "2").keys.sorted() == ["1.wav", "4.wav"])
    #expect(try songs.files(in: "3").keys.sorted() == ["2.wav"])
  }

  @Test("what is wrong with the words is wrong usage")
  func usage() throws {
    for (words, line) in [
      (["--jobs", "0"], "--jobs 0: give a whole number from 1 to 256"),
      (["--longest", "6d"], "--longest 6d: give seconds, or a time such as 90s, 20m or 6h"),
      (["--shard", "4/3"], "--shard 4/3: give a part and their number, as in 1/4"),
      (["--format", "aac"], "--format aac: give wav, flac, ogg, opus, mp3, aiff, caf or raw"),
      (["--resume"], "--resume goes on by a manifest: give --manifest FILE"),
    ] {
      let result = try Program.run(["render", "songs", "-o", "out/"] + words)
      #expect(result.errors == "synth: \(line) — see synth render --help\n" && result.status == 2)
    }
    let result = try Program.run(["render", "/tmp", "-o", "x.wav"])
    #expect(result.errors == "synth: several songs need a directory: -o OUT/ — see synth render --help\n")
  }
}
