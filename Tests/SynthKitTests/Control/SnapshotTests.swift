import AudioGraph
import Foundation
import SynthDSP
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("snapshots", .timeLimit(.minutes(5)))
struct SnapshotTests {
  private let output = HandOutput(sampleRate: 48000, period: 256)
  private let keyboard = VirtualSource("keyboard")
  private let directory = FileManager.default.temporaryDirectory.appending(path: "snapshots-\(UUID())/state").path
  private let session: Session
  private var control: SynthesizerControl

  init() throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    session = Session(synthesizer, output: output, sources: [keyboard], timing: .immediate)
    control = SynthesizerControl(
      synthesizer, session: session, snapshots: SnapshotStore(directory: directory), learned: LearnedStore(path: nil))
    try session.start()
  }

  private var strips: [ChannelStrip] { session.synthesizer.channelStrips }

  private mutating func perform(_ lines: String...) throws -> [String] {
    try lines.map { try control.perform(SynthesizerCommand(parsing: $0)).text }
  }

  /// What the controls of the session have asked for.
  private mutating func performControls() throws -> [String] {
    try control.takeControls().commands.map { try control.perform($0.line, as: $0.asker).text }
  }

  /// What a command is refused with, or answered.
  private func error(_ line: String) -> String {
    var control = control
    do {
      return try control.perform(SynthesizerCommand(parsing: line)).text
    } catch {
      return "\(error)"
    }
  }

  private func play(_ turns: Int = 8) { for _ in 0..<turns { output.turn() } }

  @Test("brings back fonts, instruments, programs, strips, effects, preset and how songs are played")
  mutating func everything() throws {
    keyboard.send(.programChange(channel: 0, program: 5))
    play()
    let before = control.snapshot
    #expect(before.programs?.first { $0.channel == 0 }?.program == 5)
    let saved = try perform(
      "preset pop", "level 3 -6", "pan 4 -0.5", "send 5 reverb 0.75", "mute 10", "solo track 2", "gain -3",
      "reverb plate", "set reverb time 3.5", "chorus off", "instrument 2=pad", "program 1 8", "metronome -9",
      "snapshot save lead")
    #expect(saved.last == "snapshot   lead saved, program 0")
    session.tempo = 0.5
    play()
    _ = try perform("snapshot save lead")
    let lead = control.snapshot
    #expect(lead != before && lead.tempo == 0.5)
    #expect(control.recall(before).isEmpty)
    play()
    #expect(control.snapshot == before)
    #expect(control.preset == "flat" && strips[2].level.value == 0 && !strips[9].isMuted)
    let recalled = try perform("snapshot lead")
    #expect(recalled == ["snapshot   lead"])
    play()
    #expect(control.snapshot == lead)
    #expect(control.preset == "pop" && strips[2].level.value == -6 && strips[9].isMuted && strips[3].pan == -0.5)
    #expect(session.synthesizer.effects.reverb.time.value == 3.5)
    #expect(session.synthesizer.instruments.preset(ofChannel: 0)?.program == 8)
    #expect(control.snapshot.instruments == ["2=pad"])
  }

  @Test("goes through its file unchanged; what a file leaves out stays as it is")
  mutating func file() throws {
    _ = try perform("level 3 -6.123", "preset bands:1,2,3,0,0,0,0,0,0,-4.5", "reverb off", "mute track 3", "route 3 5")
    let snapshot = control.snapshot
    let bytes = Array(snapshot.text(program: 7).utf8)
    let read = try SynthesizerSnapshot.read(bytes, path: "a.json")
    #expect(read.snapshot == snapshot && read.program == 7)
    let part = #"{"version": 1, "parameters": {"mixer": {"input 0 gain": -9}}, "mutedTracks": [1]}"#
    #expect(control.recall(try SynthesizerSnapshot.read(Array(part.utf8), path: "a.json").snapshot).isEmpty)
    #expect(strips[0].level.value == -9 && abs(strips[2].level.value + 6.123) < 1e-4)
    #expect(control.preset == "bands:1,2,3,0,0,0,0,0,0,-4.5")
    #expect(control.snapshot.mutedTracks == [0] && control.snapshot.routes == ["3=5"])
  }

  @Test(
    "a wrong file is told with the place",
    arguments: [
      (#"{"version": 1, "lvl": 3}"#, "1:16: lvl: unknown key; known are version"),
      (#"{"version": 2}"#, "1:13: version: 2 is not known; this program reads version 1"),
      (#"{"version": 1, "bands": 3}"#, "1:25: bands: expected a list of numbers, found a number"),
      (#"{"version": 1, "programs": [{"channel": 65}]}"#, "1:29: programs: expected a list of objects of channel"),
      (#"{"version": 1, "parameters": {"mixer": 3}}"#, "1:40: parameters.mixer: expected an object of numbers"),
      (#"{"version": 1"#, #"1:14: expected "," or "}", but the text ends here"#),
    ])
  mutating func faults(text: String, error: String) throws {
    try StateFile.write(Array(text.utf8), to: "\(directory)/bad.json")
    #expect(self.error("snapshot bad").hasPrefix("reading snapshot \(directory)/bad.json:\(error)"))
    let list = try perform("snapshots")[0]
    #expect(
      list.hasPrefix("snapshots  none; snapshot save NAME keeps how all is set\nreading snapshot \(directory)/bad"))
  }

  @Test("what cannot be had any more is told in a line each, and the rest is recalled")
  mutating func lost() throws {
    var snapshot = control.snapshot
    let fonts = snapshot.soundFonts
    snapshot.soundFonts = ["/gone/a.sf2"]
    snapshot.instruments = ["3=pad", "4=gone-patch"]
    snapshot.nodes?.append(SynthesizerSnapshot.Node(name: "phaser", values: [("depth", 1)]))
    snapshot.nodes?[0].values.append(("wobble", 1))
    snapshot.routes = ["99=1"]
    snapshot.preset = "my own"
    snapshot.bands = [3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let lost = control.recall(snapshot)
    #expect(
      lost == [
        "soundfont /gone/a.sf2: no such file",
        "instrument 4=gone-patch: \(ResourceError.unknownInstrument(name: "gone-patch", nearest: nil))",
        "mixer: it has no wobble now", "phaser: there is no such node now", "route 99=1: it is no route",
      ])
    #expect(control.snapshot.soundFonts == fonts && control.snapshot.instruments == ["3=pad"])
    #expect(control.preset == "my own" && control.snapshot.bands?[0] == 3)
  }

  @Test("a program change on channel 16 recalls a snapshot; one without a snapshot is for the instruments")
  mutating func programChange() throws {
    _ = try perform("level 1 -6", "snapshot save a", "level 1 -12", "snapshot save b", "snapshot delete a")
    let lists = try perform("snapshots", "snapshot save c", "snapshots")
    #expect(lists[0] == "snapshots  b (program 1)" && lists[2] == "snapshots  b (program 1), c (program 0)")
    _ = try perform("level 1 0")
    keyboard.send(.programChange(channel: 15, program: 5))
    keyboard.send(.programChange(channel: 3, program: 1))
    play()
    let none = try performControls()
    #expect(none.isEmpty)
    #expect(session.synthesizer.instruments.preset(ofChannel: 15)?.program == 5)
    keyboard.send(.programChange(channel: 15, program: 1))
    play()
    let done = try performControls()
    #expect(done == ["snapshot   b"])
    #expect(strips[0].level.value == -12)
    #expect(session.synthesizer.instruments.preset(ofChannel: 15)?.program == 5)
    session.controls.snapshotChannel = nil
    keyboard.send(.programChange(channel: 15, program: 1))
    let off = try performControls()
    #expect(off.isEmpty)
  }

  @Test("notes sound on, and no sample jumps, while one snapshot follows another")
  mutating func click() throws {
    _ = try perform("level 1 0", "snapshot save loud", "level 1 -20", "pan 1 -1", "instrument pad", "snapshot save far")
    _ = try perform("snapshot loud")
    keyboard.send(.noteOn(channel: 0, note: 45, velocity7: 100))
    play(200)
    let start = output.left.count
    func jump(_ range: Range<Int>) -> Float {
      zip(output.left[range], output.left[range].dropFirst()).map { abs($0 - $1) }.max() ?? 0
    }
    let usual = jump(start - 20000..<start)
    _ = try perform("snapshot far")
    play(40)
    #expect(jump(start - 1..<output.left.count) <= usual * 1.5)
    #expect(usual > 0 && output.left.suffix(2000).map { abs($0) }.max() ?? 0 > 0)
    #expect(session.synthesizer.instruments.activeVoiceCount > 0)
  }

  @Test("names that are no names of files are refused, and near ones are guessed")
  mutating func names() throws {
    _ = try perform("snapshot save lead 2")
    #expect(error("snapshot laed 2") == "snapshot laed 2: no such snapshot; did you mean lead 2?")
    #expect(error("snapshot delete ../x") == "snapshot ../x: no such snapshot; give lead 2")
    #expect(error("snapshot save a/b").hasPrefix("snapshot save a/b: give a name of at most 100 letters"))
    #expect(error("snapshot save .a").hasPrefix("snapshot save .a: give a name"))
    #expect(error("snapshot save save").contains("meaning of its own"))
    #expect(error("snapshot save") == "a word is missing: snapshot NAME|save NAME|delete NAME")
    #expect(control.completions(of: "snapshot delete l") == ["\"lead 2\""])
  }
}

@Suite("state files")
struct StateFileTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID())").path

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test("replace the present one as a whole, and make their directories for their owner alone")
  func write() throws {
    let path = "\(directory)/a/b/x.json"
    try StateFile.write(Array("one".utf8), to: path)
    try StateFile.write(Array("two".utf8), to: path)
    #expect(try text(path) == "two")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(directory)/a/b") == ["x.json"])
    let mode = try FileManager.default.attributesOfItem(atPath: "\(directory)/a")[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  @Test("a write that fails leaves the old file and nothing beside it")
  func failure() async throws {
    let path = "\(directory)/x.json"
    try StateFile.write(Array("one".utf8), to: path)
    // No file may be longer than 1000 bytes there: the write fails in its middle, as on a full disk.
    setenv("STATE_FILE_TEST", path, 1)
    defer { unsetenv("STATE_FILE_TEST") }
    await #expect(processExitsWith: .exitCode(7)) {
      let path = String(cString: getenv("STATE_FILE_TEST"))
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
      setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
      do {
        try StateFile.write([UInt8](repeating: 65, count: 5000), to: path)
      } catch {
        exit("\(error)".hasPrefix("writing \(path): file too large; make room there") ? 7 : 8)
      }
    }
    #expect(try text(path) == "one")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["x.json"])
  }

  @Test("lie in the service's directory, else in the user's")
  func places() {
    #expect(StateFile.directory(["STATE_DIRECTORY": "/var/lib/synth:/b", "HOME": "/h"]) == "/var/lib/synth")
    #expect(StateFile.directory(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/synth")
    #expect(StateFile.directory(["XDG_STATE_HOME": "s", "HOME": "/tmp"]) == "/tmp/.local/state/synth")
    #expect(StateFile.directory(["HOME": "/no/such/home"]) == nil)
    #expect(StateFile.directory([:]) == nil)
  }
}
