import Foundation
import SynthALSA
import SynthAudioFiles
import TestSupport
import Testing

@testable import SynthKit
@testable import synth

@Suite("A person gets one line that says what to do")
struct ErrorTests {
  private let directory = try! TemporaryDirectory()

  private func expect(_ status: Int32, _ line: String, _ arguments: String...) throws {
    let result = try Program.run(arguments)
    #expect(result.errors == "synth: \(line)\n")
    #expect(result.status == status)
    #expect(result.output.isEmpty)
  }

  private static let kinds =
    "give a MIDI file (.mid, .rmi, .kar, .xmi, .mus) or an audio file (.wav, .flac, .ogg, .opus, .mp3, .aiff, .caf)"

  @Test func songs() throws {
    let empty = try directory.write("empty.mid", "")
    let text = try directory.write("text.mid", "hello")
    try expect(
      1, "reading /nope.mid: no such file or directory; check the name and the permissions",
      "/nope.mid")
    try expect(1, "reading \(empty): the file is empty; choose another", empty)
    try expect(
      1,
      "reading \(text): neither a MIDI nor an audio file (it starts with \"hell\"); \(Self.kinds)",
      text)
  }

  @Test("a named pipe is no song, and is not waited for; one that the program is started with is read")
  func pipes() throws {
    let pipe = directory.path("pipe.mid")
    #expect(mkfifo(pipe, 0o600) == 0)
    let line = "reading \(pipe): not a regular file; \(Self.kinds)"
    try expect(1, line, pipe, "--out", "null")
    try expect(1, line, "info", pipe)
    try expect(1, line, "render", pipe, "-o", directory.path("x.wav"))
    let result = try Program.run(script: "$0 info <(sleep 0.1; cat $1); cat $1 | $0 info /dev/stdin", TestFiles.song)
    #expect(result.errors.isEmpty && result.status == 0, "\(result.errors)")
    #expect(result.text.components(separatedBy: "/dev/").count == 3)
  }

  @Test("a part of a song, its tempo and its pitch")
  func songParts() throws {
    let song = try TestFiles.song
    let usage = " — see synth play --help"
    try expect(2, "--start 1:60: give a time, as in 83, 1:23 or 0:01:23.5" + usage, song, "--start", "1:60")
    try expect(2, "--end 0:10: give a time after the start, 0:20" + usage, song, "--start", "0:20", "--end", "10")
    let loop = "--loop 0:10: give forever, how many times, or a passage, as in 0:10-0:20"
    try expect(2, loop + usage, song, "--loop", "0:10")
    try expect(2, "--tempo 10%: give 25 to 400 percent" + usage, song, "--tempo", "10%")
    try expect(2, "--transpose 25: give semitones from -24 to 24" + usage, song, "--transpose=25")
    try expect(2, "--tempo is for songs: name a MIDI or audio file" + usage, "--tempo", "80%")
    try expect(
      1, "playing \(song): 10:00 is not in the song, which ends at 1:43.3", song, "--start", "10:00", "--out", "null")
    try expect(
      1, "playing \(song): the start, 1:00, is not before the loop's end, 0:20", song, "--start", "1:00", "--loop",
      "0:10-0:20", "--out", "null")
  }

  @Test("a name whose bytes are not UTF-8 is shown byte by byte")
  func bytesOfNames() throws {
    let result = try Program.run(script: #""$0" render "$(printf 'caf\351.mid')" -o x.wav"#)
    let line = #"synth: reading caf\xE9.mid: no such file or directory; check the name and the permissions"#
    #expect(result.errors == line + "\n" && result.status == 1)
    let script = #""$0" render "$1" -o "$2" --soundfont "$(printf 'caf\351.sf2')""#
    let font = try Program.run(script: script, TestFiles.song, directory.path("x.wav"))
    #expect(font.errors.hasPrefix(#"synth: loading soundfont caf\xE9.sf2: no such file"#) && font.status == 1)
  }

  @Test func soundFonts() throws {
    let song = try TestFiles.song
    let text = try directory.write("text.sf2", "This is no soundfont.")
    try expect(
      1,
      "loading soundfont /nope.sf2: no such file or directory; give the path of an .sf2 or .sf3 file",
      song, "--out", "null", "--soundfont", "/nope.sf2")
    try expect(
      1, "loading soundfont \(text): it is not a SoundFont; give an .sf2 or .sf3 file",
      song, "--out", "null", "--soundfont", text)
    try expect(
      1, "loading soundfont \(text): it is not a SoundFont; give an .sf2 or .sf3 file",
      song, "--out", "null", "--soundfont", text, "--engine", "fluidsynth")
    let empty = "\(NSTemporaryDirectory())/empty-\(UUID())"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: empty) }
    try expect(
      1,
      "loading samples \(empty): no audio file is in it; give a WAV, FLAC or AIFF file, mono or stereo, or a folder of "
        + "them",
      song, "--out", "null", "--soundfont", empty)
  }

  @Test("FluidSynth that cannot be loaded")
  func libraries() throws {
    let broken = try directory.write("libfluidsynth.so.3", "")
    let result = try Program.run(
      ["render", try TestFiles.song, "-o", directory.path("x.wav"), "--engine", "fluidsynth"],
      environment: ["LD_LIBRARY_PATH": (broken as NSString).deletingLastPathComponent])
    #expect(
      result.errors
        == "synth: loading instrument sampler: \(broken): file too short; install the package libfluidsynth3\n")
    #expect(result.status == 1)
  }

  @Test func presets() throws {
    let song = try TestFiles.song
    try expect(
      1,
      "choosing preset \"rok\": unknown preset; did you mean \"rock\"? \"synth presets\" lists them",
      song, "--preset", "rok")
    let broken = try directory.write("broken.json", "{\n  \"version\": 1,\n  \"title\": oops\n}")
    let result = try Program.run([song, "--preset", broken])
    #expect(result.errors.hasPrefix("synth: reading preset \(broken):3:12: "))
    #expect(result.status == 1)
  }

  @Test func instruments() throws {
    let song = try TestFiles.song
    try expect(
      1,
      "choosing instrument \"pat\": unknown instrument; did you mean \"pad\"? \"synth instruments\" lists them",
      song, "--instrument", "3=pat")
    try expect(
      2,
      "--instrument 65=pad: give a channel from 1 to 16, B1 to D16 for other ports, before the name, as in 3=pad — see synth play --help",
      song, "--instrument", "65=pad")
    try expect(
      2,
      "--instrument 1:0-200=pad: give keys from 0 to 127 after the channel, the lower first, as in 1:0-59=bass"
        + " — see synth play --help",
      song, "--instrument", "1:0-200=pad")
    try expect(
      1,
      "choosing instrument \"sampeler\": unknown instrument; did you mean \"sampler\"? "
        + "\"synth instruments\" lists them",
      song, "--instrument", "sampeler")
    let broken = try directory.write("broken.json", "oops")
    let result = try Program.run([song, "--instrument", broken])
    #expect(result.errors.hasPrefix("synth: reading instrument \(broken):1:1: "))
    #expect(result.status == 1)
  }

  @Test func devices() throws {
    let song = try TestFiles.song
    try expect(
      1, "opening hw:CARD=Nope,DEV=0: no such device — `synth devices` lists those there are",
      song, "--out", "hw:CARD=Nope,DEV=0")
  }

  @Test(
    "what helps is told in the program's own options",
    arguments: [
      (
        PCMError("opening", "hw:1", .busy(holders: [DeviceHolder(name: "aplay", process: 7)])) as any Error,
        "opening hw:1: device or resource busy — held by aplay (pid 7); use --out default, or stop it"
      ),
      (
        PCMError(
          "setting up", "hw:1", .unsupported("not with 6 channels", instead: "it has 1 to 2", .chooseChannels)),
        "setting up hw:1: not with 6 channels — it has 1 to 2; see --channels"
      ),
      (
        SoundFontLocatorError(searched: []),
        "looking for a soundfont: none found, and the built-in one is not installed; "
          + "give --soundfont FILE, or install fluid-soundfont-gm"
      ),
      (
        AudioFileError.cannotCreate(path: "/x.wav", code: EACCES),
        "creating /x.wav: permission denied — write elsewhere with -o"
      ),
      (PCMError("setting up", "", .unnamed), "setting up : no device name — `synth devices` lists them"),
    ])
  func remedies(error: any Error, line: String) {
    #expect(errorLine(error) == line)
  }

  @Test func channelMaps() throws {
    let song = try TestFiles.song
    try expect(
      1,
      "setting channel map 0,1: it has 2 entries, the device 4 channels; "
        + "give one entry per device channel, as in 0,1,-1,-1",
      song, "--out", "null", "--channels", "4", "--map", "0,1")
    try expect(
      1,
      "setting channel map 0,2: source channel 2 does not exist; the mix has channels 0 to 1, and -1 is silence",
      song, "--out", "null", "--map", "0,2")
    try expect(
      2,
      "--map 0,x: give a source channel or -1 for each device channel, as in 0,1,-1,-1 — see synth play --help",
      song, "--map", "0,x")
  }

  @Test func files() throws {
    let song = try TestFiles.song
    try expect(
      1, "writing /dev/full: no space left on device — free some, or write elsewhere with -o",
      "render", song, "-o", "/dev/full")
    try expect(
      1, "creating /nope/x.wav: no such file or directory — create its directory first",
      "render", song, "-o", "/nope/x.wav")
    try expect(
      2,
      "-o x.aac: give a name that ends in .wav, .flac, .ogg, .opus, .mp3, .aiff, .caf or .raw; or a directory, with / at its end"
        + " — see synth render --help",
      "render", song, "-o", "x.aac")
  }

  @Test("by rendering, the song is not overwritten")
  func targets() throws {
    let song = directory.path("song.wav")
    try FileManager.default.copyItem(atPath: try TestFiles.song, toPath: song)
    try expect(
      1, "rendering \(song): \(song) is the song itself; choose another -o", "render", song, "-o",
      song)
    #expect(
      try Data(contentsOf: URL(filePath: song))
        == Data(contentsOf: URL(filePath: try TestFiles.song)))
  }

  @Test("a song of a century is a damaged one")
  func endless() throws {
    let path = directory.path("endless.mid")
    let bytes = smf(format: 0, division: 1, tracks: [note(60) + end(after: 0xFFF_FFFF)])
    try Data(bytes).write(to: URL(filePath: path))
    try expect(
      1, "reading \(path): it would last 37282.7 hours, so it is damaged; give another", path, "--out", "null")
  }

  @Test("what is wrong with the words alone is wrong usage, whatever there is of files and devices")
  func usageFirst() throws {
    let missing = ["/nope.mid", "--soundfont", "/nope.sf2", "--out", "hw:CARD=Nope,DEV=0"]
    for (line, words) in [
      (
        "--preset bands:1,2: give ten gains of -24 to 24 dB, from 32 Hz to 16 kHz, as in bands:3,2,0,0,0,0,0,0,1,2",
        ["--preset", "bands:1,2"]
      ),
      (
        "--map x: give a source channel or -1 for each device channel, as in 0,1,-1,-1",
        ["--map", "x"]
      ),
      (
        "--reverb platte: give small-room, medium-room, large-room, medium-hall, large-hall, plate, off; "
          + "did you mean plate?", ["--reverb", "platte"]
      ),
      (
        "--chorus chorus3: give chorus-1, chorus-2, chorus-3, chorus-4, feedback-chorus, flanger, off; "
          + "did you mean chorus-3?", ["--chorus", "chorus3"]
      ),
      ("--preset-program 0: give a whole number from 1 to 16", ["--preset-program", "0"]),
      (
        "--preset-controller 20@17: give a controller from 0 to 119, and a channel from 1 to 16 if you like: 20@16",
        ["--preset-controller", "20@17"]
      ),
      ("--latency soon: give low, safe, or 1 to 2000 milliseconds", ["--latency", "soon"]),
    ] {
      let result = try Program.run(missing + words)
      #expect(result.errors == "synth: \(line) — see synth play --help\n")
      #expect(result.status == 2)
    }
  }

  @Test func usage() throws {
    let song = try TestFiles.song
    try expect(
      2, "unknown option --presett; did you mean --preset? — see synth play --help", song, "--presett",
      "pop")
    try expect(2, "--map needs a value — see synth play --help", song, "--map")
    try expect(
      2, "--rate 5: give a whole number from 8000 to 768000 — see synth play --help", song, "--rate", "5")
    try expect(2, "say where to render to, with -o FILE — see synth render --help", "render", song)
    try expect(2, "name a MIDI or audio file to render — see synth render --help", "render", "-o", "x.wav")
    try expect(
      2, "several songs need a directory: -o OUT/ — see synth render --help", "render", song, song, "-o",
      "x.wav")
    try expect(2, "\"more\" is one word too many — see synth devices --help", "devices", "more")
    try expect(
      2, "--out is no option of this command — see synth render --help", "render", song, "--out", "null")
    try expect(
      2, "\"device\" is neither a command nor a file; did you mean devices? — see synth --help",
      "device")
    try expect(
      2,
      "--raw writes bare samples, which x.wav would not tell: name it .raw, or leave --raw out — see synth render --help",
      "render", song, "-o", "x.wav", "--raw")
  }

  @Test("a damaged song plays as far as it makes sense, with a warning that gives the place")
  func damagedSong() throws {
    let whole = try Data(contentsOf: URL(filePath: try TestFiles.song("busy_schedule.mid")))
    let cut = directory.path("cut.mid")
    try whole.prefix(700).write(to: URL(filePath: cut))
    let result = try Program.run(["render", cut, "-o", directory.path("cut.wav"), "--rate", "8000"])
    #expect(result.status == 0)
    #expect(
      result.errors.hasPrefix(
        "synth: warning: \(cut): byte 159: chunk of 4501 bytes, but only 537 bytes left\n"))
  }

  @Test(
    "what is printed where there is no room is an error, and a reader that has seen enough is not")
  func fullOutput() throws {
    let program = Program.executable.path
    let full = try Shell.run("\(program) presets > /dev/full")
    #expect(
      full.status == 1 && full.errors == "synth: writing standard output: no space left on device\n"
    )
    let enough = try Shell.run("\(program) --help | head -c 1; exit ${PIPESTATUS[0]}")
    #expect(enough.errors.isEmpty && enough.text == "s")
  }

  @Test("an instrument on a channel that a song does not use is told of")
  func unusedChannel() throws {
    let song = directory.path("channel-1.mid")
    try Data(smf(format: 0, tracks: [note(60) + [96, 0x80, 60, 0] + end()])).write(
      to: URL(filePath: song))
    let told = try Program.run([
      "render", song, "-o", directory.path("channel-1.wav"), "--rate", "8000", "--instrument",
      "2=pad",
      "--instrument", "1=lead",
    ])
    #expect(
      told.errors
        == "synth: warning: --instrument 2=pad: channel-1.mid has no notes on channel 2, but on 1\n"
    )
    #expect(told.status == 0)
  }
}
