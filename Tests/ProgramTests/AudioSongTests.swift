import Foundation
import SynthAudioFiles
import TestSupport
import Testing

@Suite("Audio files as songs", .timeLimit(.minutes(5)))
struct AudioSongTests {
  private let directory = try! TemporaryDirectory()

  /// A tone with a title.
  private func tone(_ name: String, seconds: Double) throws -> String {
    let path = directory.path(name)
    let file = try AudioFileWriter(path: path, sampleRate: 48000, channelCount: 1, tags: [.title: "A Tone"])
    let samples = (0..<Int(seconds * 48000)).map { Float(0.3 * sin(Double($0) * 0.05)) }
    try file.write(interleaved: samples, frameCount: samples.count)
    try file.finish()
    return path
  }

  @Test("are played in lists with MIDI files, and do what they can")
  func played() throws {
    _ = try tone("b.flac", seconds: 600)
    _ = try tone("c.wav", seconds: 600)
    let song = Data(smf(format: 0, tracks: [note(60) + end(after: 960 * 36000)]))
    try song.write(to: URL(filePath: directory.path("a.mid")))
    let result = try Program.run(
      [directory.path(""), "--out", "null", "--count-in", "1", "--metronome", "on"],
      input: "list\nnext\nmute 3\nmetronome -6dB\nmetronome off\ntranspose 2\ntempo 80%\nseek 1:00\nquit\n")
    #expect(
      result.errors == """
        playing    a.mid
        next       b.flac
                   c.wav
        synth: warning: --metronome and --count-in: \(directory.path("b.flac")) is an audio file, which has no bars
        synth: mute: an audio file is played, which has neither channels nor tracks
        synth: metronome: an audio file is played, which has no bars
        metronome  off
        transpose  2 semitones
        tempo      80 %
        playing    from 1:00

        """)
  }

  @Test("are rendered with what the chain does, and keep their tags")
  func rendered() throws {
    let source = try tone("tone.flac", seconds: 2)
    let target = directory.path("out.flac")
    let result = try Program.run(["render", source, "-o", target, "--tempo", "50%", "--preset", "pop"])
    #expect(result.status == 0, "\(result.errors)")
    let file = try AudioFileReader(path: target)
    #expect(file.tags[.title] == "A Tone")
    #expect(abs((file.frameCount ?? 0) - 192_000) < 4800)
  }

  @Test("that were cut off are told of, and in the manifest too", arguments: ["wav", "aiff", "mp3"])
  func cutOff(name: String) throws {
    let whole = try Data(contentsOf: URL(filePath: tone("whole.\(name)", seconds: 2)))
    let cut = directory.path("cut.\(name)")
    try whole.prefix(whole.count / 2).write(to: URL(filePath: cut))
    let missing = whole.count - whole.count / 2
    let line = "\(cut): it was cut off: its last \(missing) bytes are missing; what is there is played"
    let manifest = directory.path("manifest.jsonl")
    let result = try Program.run(["render", cut, "-o", directory.path("x.wav"), "--manifest", manifest])
    #expect(result.errors.contains("synth: warning: \(line)\n") && result.status == 0, "\(result.errors)")
    #expect(try String(contentsOf: URL(filePath: manifest), encoding: .utf8).contains("it was cut off"))
    let fine = try Program.run(["render", directory.path("whole.\(name)"), "-o", directory.path("y.wav")])
    #expect(fine.errors == "" && fine.status == 0)
  }

  @Test("cannot be rendered from their very end")
  func veryEnd() throws {
    let source = try tone("tone.wav", seconds: 2)
    let target = directory.path("x.wav")
    let result = try Program.run(["render", source, "-o", target, "--start", "2"])
    #expect(result.errors == "synth: rendering \(source): 0:02 is not in the song, which ends at 0:02\n")
    #expect(result.status == 1 && !FileManager.default.fileExists(atPath: target))
  }

  @Test("have neither stems nor notes, and a damaged one is told of as such")
  func refused() throws {
    let source = try tone("tone.flac", seconds: 2)
    let stems = try Program.run(["render", source, "-o", directory.path("out") + "/", "--stems", "channel"])
    #expect(
      stems.errors.hasPrefix(
        "synth: rendering \(source): an audio file has neither channels, tracks nor notes; leave out --stems"))
    #expect(stems.status == 1)
    let muted = try Program.run([source, "--out", "null", "--mute", "3"])
    #expect(
      muted.errors
        == "synth: warning: --mute and --solo: \(source) is an audio file, which has neither channels nor tracks\n")
    let clicked = try Program.run([source, "--out", "null", "--metronome", "96"])
    #expect(clicked.errors == "synth: warning: --metronome: \(source) is an audio file, which has no bars\n")
    let bytes = try Data(contentsOf: URL(filePath: source))
    let damaged = directory.path("damaged.flac")
    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: damaged))
    let result = try Program.run(["render", damaged, "-o", directory.path("x.wav")])
    #expect(result.errors.hasPrefix("synth: reading \(damaged): ") && result.status == 1)
  }
}
