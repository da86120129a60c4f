import Foundation
import SynthAudioFiles
import TestSupport
import Testing

@Suite("Commands for inputs", .timeLimit(.minutes(5)))
struct InputTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("record writes exactly as many frames as --seconds says, and tells what it has recorded")
  func seconds() throws {
    let path = directory.path("take.wav")
    let result = try Program.run(["record", "--in", "null", "--map", "1,-1,0", "--seconds", "0.1", "-o", path])
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(result.status == 0 && result.output.isEmpty && lines.count == 4)
    #expect(lines[0].hasPrefix("input      null: 48000 Hz, 2 channels") && lines[1] == "channels   1,-1,0")
    #expect(lines[2] == "recording  \(path)")
    #expect(lines[3] == "recorded   \(path): 0.100 s, peak -∞ dBFS, 0 overruns, 0 frames lost")
    let file = try AudioFileReader(path: path)
    #expect(file.frameCount == 4800 && file.channelCount == 3 && file.sampleRate == 48000)
  }

  @Test("record ends on q in a pipe with 0, on Ctrl-C with 130, each with a file that is whole")
  func endings() throws {
    let (quit, interrupted) = (directory.path("quit.flac"), directory.path("interrupted.ogg"))
    let first = try Program.run(script: "(sleep 1; echo q) | $0 record --in null -o $1", quit)
    #expect(first.status == 0 && first.errors.contains("recorded   \(quit): "), "\(first.errors)")
    let second = try Program.run(["record", "--in", "null", "-o", interrupted], interruptAfter: 1)
    #expect(second.status == 130 && second.errors.contains("recorded   \(interrupted): "), "\(second.errors)")
    for path in [quit, interrupted] { #expect(try #require(try AudioFileReader(path: path).frameCount) > 0) }
  }

  @Test(
    "record refuses in one line",
    arguments: [
      (["--map", "0,1", "--channels", "3"], 1, "it has 2 entries, and 3 channels are wanted"),
      (["--in-assign", "hw:9#1"], 1, "it is none of the devices that are open; they are null"),
      (["--bits", "float", "-o", "x.flac"], 1, "FLAC has no float samples"),
      (["--in", "hw:9"], 1, "opening hw:9: no such device — "),
      (["--seconds", "0"], 2, "--seconds 0: give how long to record"),
      (["--in", "null"], 2, "give one --in"), (["-o", "-"], 2, "what is recorded goes into a file"),
      (["take.wav"], 2, "name the file by -o take.wav"), (["--map", "0", "--in-assign", "null#1"], 2, "choose one of"),
    ] as [([String], Int32, String)])
  func refusals(options: [String], status: Int32, line: String) throws {
    let device = options.first == "--in" && status == 1 ? [] : ["--in", "null"]
    let file = options.contains("-o") ? [] : ["-o", directory.path("x.wav")]
    let result = try Program.run(["record"] + device + file + options)
    #expect(result.status == status && result.errors.contains(line), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: directory.path("x.wav")))
  }

  @Test("record without a name takes the date, and says so")
  func name() throws {
    let script = "cd $1 && $0 record --in null --seconds 0.01 2>&1 && ls"
    let result = try Program.run(script: script, directory.path(""))
    let name = try #require(result.text.split(separator: "\n").last)
    #expect(name.wholeMatch(of: /take-20\d{6}-\d{6}\.wav/) != nil, "\(result.text)")
    #expect(result.text.contains("recorded   \(name): 0.010 s"))
  }

  @Test("a microphone is heard with a song, at its gain")
  func microphone() throws {
    let commands = """
      level microphone
      level microphone -6
      status
      mute microphone
      status
      quit

      """
    let result = try Program.run(
      [try TestFiles.song, "--out", "null", "--in", "null", "--in-gain", "-3", "--in-unplug", "keep"], input: commands)
    let lines = result.errors.split(separator: "\n").filter { $0.contains("microphone") }
    #expect(
      result.status == 0
        && lines == [
          "level      microphone −3.0 dB", "level      microphone −6.0 dB", "microphone null, on, at −6.0 dB",
          "mute       microphone on", "microphone null, muted",
        ], "\(result.errors)")
    let silent = try Program.run(
      [try TestFiles.song, "--out", "null", "--in", "null", "--mute", "microphone"], input: "status\nquit\n")
    #expect(silent.errors.contains("\nmicrophone null, muted\n"), "\(silent.errors)")
    let song = try TestFiles.song
    for (options, status, line) in [
      (["--in", "hw:9"], Int32(1), "opening hw:9: no such device — "),
      (["--in-gain", "-3"], 2, "--in-gain is for an input: name one, as in --in hw:1"),
      (["--in-unplug", "keep"], 2, "--in-unplug is for an input: name one, as in --in hw:1"),
      (["--in", "null", "--in-unplug", "on"], 2, "--in-unplug on: give mute or keep"),
      (["--mute", "microphone"], 1, "mute microphone: there is none; --in DEVICE adds one at the start"),
      (["--in", "null", "--in-gain", "loud"], 2, "--in-gain loud: give decibels from -120 to 24"),
      (["--in", "null", "--in", "null"], 2, "give one --in"),
    ] {
      let wrong = try Program.run([song, "--out", "null"] + options)
      #expect(wrong.status == status && wrong.errors.contains(line), "\(wrong.errors)")
    }
  }

  @Test("through takes preset, gain and record, and refuses what is for songs")
  func through() throws {
    let path = directory.path("heard.flac")
    let commands = "preset pop\ngain -6\ngain\nrecord \(path)\ntempo 80\nrecord stop\nquit\n"
    let result = try Program.run(["through", "--in", "null", "--out", "null", "--gain", "-3"], input: commands)
    let lines = result.errors.split(separator: "\n").filter { !$0.hasPrefix("latency") }.map(String.init)
    #expect(result.status == 0 && lines.count == 9, "\(result.errors)")
    #expect(lines[0].hasPrefix("input      null: ") && lines[1].hasPrefix("device     null: "))
    #expect(lines[2...4] == ["preset     flat", "preset     pop", "gain       −6.0 dB"])
    #expect(lines[5...6] == ["gain       −6.0 dB", "recording  \(path)"])
    #expect(lines[7] == "synth: that is for songs and instruments; here are preset, gain, record and quit")
    #expect(lines[8].hasPrefix("recorded   \(path), "))
    #expect(try AudioFileReader(path: path).channelCount == 2)
    let wrong = try Program.run(["through", "--in", "null", "--out", "null", "--map", "0,1,2"])
    #expect(wrong.status == 2 && wrong.errors.contains("--map has more than two channels"))
  }
}
