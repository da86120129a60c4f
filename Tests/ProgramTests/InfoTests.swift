import AudioGraph
import Foundation
import SynthAudioFiles
import TestSupport
import Testing

@Suite("synth info")
struct InfoTests {
  private let directory = try! TemporaryDirectory()

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(filePath: directory.path(name)))
    return directory.path(name)
  }

  private func info(_ arguments: String..., locale: String = "C.UTF-8") throws -> Program.Result {
    try Program.run(
      ["info"] + arguments, environment: ["LC_ALL": locale, "SYNTH_SOUNDFONT": try TestFiles.soundFont])
  }

  private func meta(_ type: UInt8, _ bytes: [UInt8], after delta: Int = 0) -> [UInt8] {
    vlq(delta) + [0xFF, type, UInt8(bytes.count)] + bytes
  }

  /// A song with something of everything: a beat is half a second at first, then a second.
  private func karaoke() -> [UInt8] {
    let first: [[UInt8]] = [
      text(3, "Soft karaoke"), text(1, "@KMIDI KARAOKE FILE"), text(2, "(c) 1892"), meta(0x58, [3, 2, 24, 8]),
      meta(0x59, [0xFF, 0]), tempo(500_000), text(6, "loopStart", after: 1440), tempo(1_000_000, after: 1440),
      meta(0x59, [0, 1]), text(6, "loopEnd", after: 1440), end(after: 480),
    ]
    let words: [[UInt8]] = [
      text(3, "Words"), text(1, "@LENGL"), text(1, "@TDaisy Bell"), text(1, "@THarry Dacre"),
      text(1, "\\Dai", after: 480), text(1, "sy,", after: 480), text(1, "/give", after: 480), text(1, " me"),
      text(1, "/your", after: 480), text(1, "/ans", after: 480), text(1, "wer,", after: 480),
      text(1, "\\do", after: 480),
      end(),
    ]
    let keys: [UInt8] = [
      0, 0xC0, 19, 0, 0x90, 60, 1, 0, 64, 1, 0, 60, 0, 0, 64, 0, 0, 0xB0, 0, 8, 0, 0xC0, 48, 0, 0x90, 72, 1, 9, 72, 0,
      0, 0x99, 36, 1, 0, 0xC9, 99, 0, 0x99, 38, 1,
    ]
    return smf(tracks: [Array(first.joined()), Array(words.joined()), text(3, "Keys") + keys + [0, 0xF8] + end()])
  }

  @Test("prints a page: what it is, what sounds, what the soundfont lacks, loops, words, repairs")
  func page() throws {
    let path = try write("daisy.kar", karaoke())
    let result = try info(path)
    #expect(result.status == 0 && result.errors.isEmpty)
    let expected = """
      title      Daisy Bell
      by         Harry Dacre
      copyright  (c) 1892
      file       format 1, 3 tracks, 480 ticks per quarter note
      tracks     1 Soft karaoke, 2 Words, 3 Keys
      length     0:07, 4 bars
      tempo      120 quarter notes a minute; 60 from bar 3
      time       3/4
      key        F major; A minor from bar 3
      notes      5, at most 2 keys held at once
      language   ENGL

        channel  program                                   notes  keys       at once
              1  19 Church Organ                               2  C4–C5            2
                 48 String Ensemble 1, bank 8                  1
             10  drums                                         1  C2–D2            2
                 drums, set 99                                 1

      soundfont  /usr/share/sounds/sf2/TimGM6mb.sf2
                 channel 1: 48 String Ensemble 1, bank 8 is missing, 48 Strings CLP
                 plays
                 channel 10: drums, set 99 is missing, 0 Standard plays

      loop       bar 2 to bar 4, 0:01 to 0:06, for ever (markers loopStart, loopEnd)
      markers      0:01  loopStart
                   0:06  loopEnd

      lyrics       0:00  Daisy,
                   0:01  give me
                   0:02  your
                   0:02  answer,
                 and 1 more; --lyrics shows them

      repaired   byte 331: status 248 has no place in a file, skipped
      """
    #expect(result.text == "\(path)\n\(expected)\n")
  }

  @Test("tells what a song says that nothing follows: the most frequent first, a long list cut, all of it as JSON")
  func ignored() throws {
    var controls: [UInt8] = [0, 0xB0, 7, 100]
    for number in UInt8(20)..<32 {
      for value in 0..<number { controls += [0, 0xB0, number, value] }
    }
    let exclusive: [UInt8] = [0, 0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, 0x14, 0x7E, 1, 0x2D, 0xF7]
    let path = try write("gs.mid", smf(tracks: [exclusive + controls + note(60) + end(after: 480)]))
    let text = try info(path).text
    #expect(text.contains("\nignored    CC 31: 31 times\n           CC 30: 30 times\n"))
    #expect(text.contains("\n           CC 20: 20 times\n           and 1 more\n"))
    let result = try info("--json", path)
    let file = try #require((try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]])?.first)
    let messages = file["messages"] as? [[String: Any]] ?? []
    #expect(messages.count == 14)
    #expect(messages.last?["kind"] as? String == "GS 40 1x 7E" && messages.last?["isIgnored"] as? Bool == true)
    #expect(messages.filter { $0["isIgnored"] as? Bool == false }.map { $0["kind"] as? String } == ["CC 7"])
  }

  @Test("shows all words with --lyrics")
  func lyrics() throws {
    let text = try info(try write("daisy.kar", karaoke()), "--lyrics").text
    #expect(text.contains("             0:04  do\n") && !text.contains("--lyrics"))
  }

  @Test("goes on after files that cannot be read, each with its error, and fails at the end", arguments: [false, true])
  func broken(asJSON: Bool) throws {
    let song = try write("one.mid", smf(tracks: [note(60) + end(after: 480)]))
    let sound = try write("sound.wav", Array("RIFF____WAVEfmt ".utf8))
    let result = try Program.run(["info", sound, song, "/nope.mid", song] + (asJSON ? ["--json"] : []))
    #expect(result.status == 1)
    let errors = [
      "reading \(sound): Error in WAV file. No 'data' chunk marker. — it must be an audio file, such as WAV or FLAC",
      "reading /nope.mid: no such file or directory; check the name and the permissions",
    ]
    #expect(result.errors == errors.map { "synth: \($0)\n" }.joined())
    if asJSON {
      let files = try #require(try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]])
      #expect(files.map { $0["file"] as? String } == [sound, song, "/nope.mid", song])
      #expect(files.map { $0["error"] as? String } == [errors[0], nil, errors[1], nil])
    } else {
      let pages = result.text.components(separatedBy: "\n\n\(song)\n")
      #expect(pages.count == 2 && pages[0].hasPrefix("\(song)\nfile       format 1"))
    }
  }

  @Test("prints everything for programs")
  func forPrograms() throws {
    let result = try info("--json", try write("daisy.kar", karaoke()))
    #expect(result.status == 0 && result.errors.isEmpty)
    let file = try #require((try JSONSerialization.jsonObject(with: result.output) as? [[String: Any]])?.first)
    func list(_ key: String) -> [[String: Any]] { file[key] as? [[String: Any]] ?? [] }
    #expect(file["title"] as? String == "Daisy Bell")
    #expect(file["duration"] as? Double == 7 && file["noteCount"] as? Int == 5 && file["polyphony"] as? Int == 2)
    #expect(list("tracks").map { $0["name"] as? String } == ["Soft karaoke", "Words", "Keys"])
    #expect(list("tempos").map { $0["quarterNotesPerMinute"] as? Double } == [120, 60])
    #expect(list("tempos").map { $0["bar"] as? Int } == [1, 3])
    #expect(list("timeSignatures").map { $0["signature"] as? String } == ["3/4"])
    #expect(list("keys").map { $0["key"] as? String } == ["F major", "A minor"])
    #expect(list("channels").map { $0["channel"] as? Int } == [1, 10])
    let programs = list("channels").flatMap { $0["programs"] as? [[String: Any]] ?? [] }
    #expect(programs.map { $0["missingInSoundFont"] as? Bool } == [false, true, false, true])
    #expect(list("loops").map { $0["start"] as? Double } == [1.5] && list("loops").first?["repeats"] is NSNull)
    let lines = (file["lyrics"] as? [String: Any])?["lines"] as? [[String: Any]] ?? []
    #expect(lines.map { $0["text"] as? String } == ["Daisy,", "give me", "your", "answer,", "do"])
    #expect(list("warnings").map { $0["byte"] as? Int } == [331])
  }

  @Test("keeps to 80 columns, with texts of any length and script, and in ASCII where the locale wants it")
  func columns() throws {
    let long = String(repeating: "endless", count: 30)
    let wide = String(repeating: "さくら ", count: 30)
    let markers = [long, wide, "a\nb\u{9}c"].flatMap { [UInt8](text(6, $0, after: 480)) }
    let path = try write("long.mid", smf(tracks: [text(3, long) + markers + end(), text(3, wide) + end()]))
    let lines = try info(path).text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    let widths = lines.map { line in line.unicodeScalars.reduce(0) { $0 + ($1.value > 0x3000 ? 2 : 1) } }
    #expect((widths.max() ?? 0) <= 80 && (widths.max() ?? 0) > 70)
    #expect(lines.contains { $0.hasSuffix("a b c") })
    #expect(try info(path, locale: "C").text.utf8.allSatisfy { $0 < 128 })
  }

  @Test("tells of ports and their channels")
  func ports() throws {
    let path = try write("ports.mid", smf(tracks: [note(60) + end(), meta(0x21, [1]) + note(62) + end()]))
    let text = try info(path).text
    #expect(text.contains("ports      1 is A, 2 is B\n"))
    #expect(text.contains("\n       B1  0 Acoustic Grand Piano"))
    let json = try info("--json", path).text
    #expect(json.contains("\"ports\": [1, 2]") && json.contains("\"channel\": 17"))
    let rendered = try Program.run(["render", path, "-o", directory.path("ports.wav")])
    #expect(rendered.errors.isEmpty && rendered.status == 0)
  }

  @Test("warns of a fifth port, which is played on the first one's channels")
  func fifthPort() throws {
    let tracks = (0..<5).map { port in meta(9, Array("P\(port)".utf8)) + note(60) + end() }
    let path = try write("five.mid", smf(tracks: tracks))
    let places = #""P0" is A, "P1" is B, "P2" is C, "P3" is D, "P4" is A too"#
    let rendered = try Program.run(["render", path, "-o", directory.path("five.wav")])
    #expect(
      rendered.errors == "synth: warning: \(path): it has more ports than the 4 that are played: \(places)\n"
        && rendered.status == 0)
  }

  @Test("tells of a container and its bank")
  func container() throws {
    func riff(_ tag: String, _ bytes: [UInt8]) -> [UInt8] {
      Array(tag.utf8) + bigEndian32(bytes.count).reversed() + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }
    let song = riff("data", smf(tracks: [note(60) + note(62, after: 480) + end()]))
    let list = riff("LIST", Array("INFO".utf8) + riff("INAM", Array("Rose".utf8)) + riff("IART", Array("Me\0\0".utf8)))
    let bank = riff("RIFF", Array("DLS ".utf8) + [UInt8](repeating: 0, count: 2996))
    let text = try info(try write("rose.rmi", riff("RIFF", Array("RMID".utf8) + list + song + bank))).text
    #expect(text.contains("title      Rose\nby         Me\n"))
    #expect(text.contains("in an RMID container\nbank       DLS, 3 kB, not played\n"))
  }

  @Test("asks a soundfont that is named for its presets, and says what is wrong with it")
  func soundFonts() throws {
    let song = try write("one.mid", smf(tracks: [[0, 0xC0, 48, 0, 0xB0, 0, 9] + note(60) + end(after: 480)]))
    #expect(!(try info(song, "--soundfont", try TestFiles.soundFont).text.contains("missing")))
    let missing = try info(song, "--soundfont", "/nope.sf2")
    #expect(missing.errors.hasPrefix("synth: loading soundfont /nope.sf2: no such file") && missing.status == 1)
    let wrong = try info(song, "--soundfont", song)
    #expect(wrong.errors.hasPrefix("synth: loading soundfont \(song): ") && wrong.status == 1)
  }

  @Test("tells of audio files: format, length and loudness, for people and for programs")
  func audio() throws {
    let path = directory.path("tone.flac")
    let tone = (0..<192_000).map { Float(0.1 * sin(2 * .pi * 1000 * Double($0) / 48000)) }
    let writer = try AudioFileWriter(path: path, samples: .int24, sampleRate: 48000, channelCount: 2)
    try writer.write(AudioBuffer([tone, tone], sampleRate: 48000))
    try writer.finish()
    let result = try info(path)
    let expected = """
      file       FLAC (Free Lossless Audio Codec), Signed 24 bit PCM
      rate       48000 Hz
      channels   2
      length     0:04, 192000 frames
      loudness   -20.0 LUFS
      range      0.0 LU
      true peak  -20.0 dBTP
      peak       -20.0 dB
      """
    #expect(result.text == "\(path)\n\(expected)\n" && result.errors.isEmpty && result.status == 0)
    let files = try JSONSerialization.jsonObject(with: info(path, "--json").output) as? [[String: Any]]
    let file = try #require(files?.first)
    #expect(file["format"] as? String == "FLAC (Free Lossless Audio Codec), Signed 24 bit PCM")
    let figures = ["rate", "channels", "frameCount", "duration", "loudnessRange"].map { file[$0] as? Double }
    #expect(figures == [48000, 2, 192_000, 4, 0])
    for key in ["loudness", "truePeak"] { #expect(abs((file[key] as? Double ?? 0) + 20) < 0.1) }
    #expect(abs((file["peak"] as? Double ?? 0) - 0.1) < 1e-5)
  }

  @Test("reads a MIDI file from a pipe")
  func pipe() throws {
    let song = try write("one.mid", smf(tracks: [note(60) + end(after: 480)]))
    let result = try Program.run(script: #"cat "$1" | "$0" info /dev/stdin"#, song)
    #expect(result.text.contains("\nnotes      1, at most 1 key held at once\n") && result.status == 0)
  }

  @Test("tells of silence without a figure, and of less than a sample")
  func silence() throws {
    for count in [0, 48000] {
      let path = directory.path("silence.wav")
      let writer = try AudioFileWriter(path: path, sampleRate: 48000, channelCount: 1)
      try writer.write(AudioBuffer(format: .mono(48000), frameCount: count))
      try writer.finish()
      #expect(try info(path).text.contains("\nloudness   -∞ LUFS\n"))
      let files = try JSONSerialization.jsonObject(with: info(path, "--json").output) as? [[String: Any]]
      #expect(files?.first?["loudness"] is NSNull && files?.first?["frameCount"] as? Int == count)
    }
  }

  @Test("asks for a file")
  func usage() throws {
    let result = try info()
    #expect(
      result.errors == "synth: name a MIDI or audio file to look into — see synth info --help\n" && result.status == 2)
  }
}
