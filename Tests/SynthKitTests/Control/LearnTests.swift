import AudioGraph
import Foundation
import SynthMIDI
import SynthText
import TestSupport
import Testing

@testable import SynthKit

@Suite("learned controls", .timeLimit(.minutes(5)))
struct LearnTests {
  private let output = HandOutput(sampleRate: 48000, period: 256)
  private let knobs = VirtualSource("nanoKONTROL (24:0)")
  private let keys = VirtualSource("Keystation (28:0)")
  private let monitor = MIDIMonitor()
  private let directory = FileManager.default.temporaryDirectory.appending(path: "learn-\(UUID())").path
  private let session: Session
  private var control: SynthesizerControl

  init() throws {
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    session = Session(synthesizer, output: output, sources: [knobs, keys], copies: [monitor], timing: .immediate)
    control = Self.control(of: session, directory)
    try control.loadControls()
    try session.start()
  }

  private static func control(of session: Session, _ directory: String) -> SynthesizerControl {
    SynthesizerControl(
      session.synthesizer, session: session, snapshots: SnapshotStore(directory: "\(directory)/snapshots"),
      learned: LearnedStore(path: "\(directory)/learned.json"))
  }

  private var mixer: MixerNode { session.synthesizer.mixer }

  @discardableResult
  private mutating func perform(_ line: String) throws -> String {
    try control.perform(SynthesizerCommand(parsing: line)).text
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

  private func move(_ source: VirtualSource, _ controller: UInt8, _ value: UInt8, channel: UInt8 = 0) {
    source.send(.controlChange(channel: channel, Controller(rawValue: controller), value7: value))
  }

  /// Learns, by a move to 64.
  private mutating func learn(_ words: String, _ controller: UInt8) throws {
    try perform("learn \(words)")
    move(knobs, controller, 64)
    _ = try control.takeControls()
  }

  @Test("learn, move, done: two controllers turn two parameters, each from its own port")
  mutating func twoControllers() throws {
    let told = try perform("learn mixer \"input 2 gain\" from -40 to 0")
    #expect(told == "learn      move what is to turn mixer \"input 2 gain\"; learn off gives it up")
    // A key is no fader.
    keys.send(.noteOn(channel: 0, note: 60, velocity7: 1))
    #expect(session.controls.waiting == .parameter(node: "mixer", name: "input 2 gain"))
    move(knobs, 20, 0)
    let news = try control.takeControls().news
    #expect(news == ["learned    controller 20 on channel 1 of nanoKONTROL turns mixer \"input 2 gain\""])
    try perform("learn pan 3")
    move(keys, 20, 127)
    // Picked up at 0 dB, which is the upper end.
    move(knobs, 20, 127)
    move(knobs, 20, 0)
    #expect(mixer.inputs[2].gain.value == -40 && mixer.inputs[2].pan.value == 0)
    move(keys, 20, 64)
    move(keys, 20, 0)
    #expect(mixer.inputs[2].gain.value == -40 && mixer.inputs[2].pan.value == -1)
    move(knobs, 20, 127, channel: 1)
    #expect(mixer.inputs[2].gain.value == -40)
    let list = try perform("learned")
    #expect(
      list == """
        learned    controller 20 on channel 1 of nanoKONTROL turns mixer "input 2 gain" from −40 dB to 0 dB
        learned    controller 20 on channel 1 of Keystation turns mixer "input 2 pan"
        """)
  }

  @Test("a control takes over where it meets the value, and again after something else has set it")
  mutating func pickup() throws {
    try learn("pan 1", 10)
    let pan = mixer.inputs[0].pan
    pan.value = 0.5
    move(knobs, 10, 20)
    move(knobs, 10, 40)
    #expect(pan.value == 0.5)
    // It passes the value.
    move(knobs, 10, 110)
    #expect(abs(pan.value - 0.73) < 0.01)
    move(knobs, 10, 0)
    #expect(pan.value == -1)
    try perform("pan 1 0")
    move(knobs, 10, 10)
    #expect(pan.value == 0)
    // It comes near.
    move(knobs, 10, 62)
    #expect(abs(pan.value + 0.03) < 0.01)
  }

  @Test("levels follow a fader's course, switches their half, and toggle and notes every press")
  mutating func courses() throws {
    try learn("gain", 7)
    let gain = session.synthesizer.mainMixer.outputGain
    move(knobs, 7, 127)
    #expect(gain.value == 6)
    move(knobs, 7, 64)
    #expect(abs(gain.value + 6) < 0.2)
    move(knobs, 7, 0)
    #expect(gain.value == -120)
    try learn("mute 2", 21)
    move(knobs, 21, 127)
    #expect(mixer.inputs[1].isMuted.value == 1)
    move(knobs, 21, 0)
    #expect(mixer.inputs[1].isMuted.value == 0)
    try learn("solo 2 toggle", 22)
    move(knobs, 22, 0)
    for value: UInt8 in [127, 127, 0] { move(knobs, 22, value) }
    #expect(mixer.inputs[1].isSoloed.value == 1)
    move(knobs, 22, 127)
    #expect(mixer.inputs[1].isSoloed.value == 0)
    try perform("learn mute 5")
    keys.send(.noteOn(channel: 9, note: 36, velocity7: 100))
    for _ in 0..<3 {
      keys.send(.noteOff(channel: 9, note: 36, velocity7: 0))
      keys.send(.noteOn(channel: 9, note: 36, velocity7: 1))
    }
    #expect(mixer.inputs[4].isMuted.value == 1)
  }

  @Test("commands are called by a press; one with toggle by turns with its opposite")
  mutating func commands() throws {
    try learn("preset next", 30)
    move(knobs, 30, 0)
    move(knobs, 30, 127)
    move(knobs, 30, 120)
    var called = try control.takeControls().commands.map(\.line)
    #expect(called == ["preset next"])
    try perform("learn snapshot lead")
    keys.send(.programChange(channel: 2, program: 9))
    keys.send(.programChange(channel: 2, program: 9))
    called = try control.takeControls().commands.map(\.line)
    #expect(called == ["snapshot lead"])
    let take = "\(directory)/take.wav"
    try learn("record \(take) toggle", 31)
    for value: UInt8 in [0, 127] { move(knobs, 31, value) }
    called = try control.takeControls().commands.map(\.line)
    #expect(called == ["record \(take)"])
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try perform(called[0])
    for value: UInt8 in [0, 127] { move(knobs, 31, value) }
    called = try control.takeControls().commands.map(\.line)
    #expect(called == ["record stop"])
    session.controls.programCommands = ["next": .network]
    #expect(error("learn next").hasPrefix("learn      press or move what is to turn next;"))
  }

  @Test("what is learned is no matter of the instruments, but monitors see it; with through both have it")
  mutating func exclusive() throws {
    keys.send(.programChange(channel: 0, program: 5))
    for _ in 0..<8 { output.turn() }
    try perform("learn preset next")
    keys.send(.programChange(channel: 0, program: 7))
    keys.send(.programChange(channel: 0, program: 7))
    for _ in 0..<8 { output.turn() }
    #expect(session.synthesizer.instruments.preset(ofChannel: 0)?.program == 5)
    #expect(monitor.counts[0] == 3)
    try perform("learn preset previous through")
    keys.send(.programChange(channel: 0, program: 7))
    keys.send(.programChange(channel: 0, program: 7))
    for _ in 0..<8 { output.turn() }
    #expect(session.synthesizer.instruments.preset(ofChannel: 0)?.program == 7)
    let called = try control.takeControls().commands.map(\.line)
    #expect(called == ["preset next", "preset previous"])
  }

  @Test("a control that is learned again turns the new target alone, and that is told; unlearn forgets")
  mutating func conflicts() throws {
    try learn("level 1", 20)
    try perform("learn pan 1")
    move(knobs, 20, 64)
    let news = try control.takeControls().news
    #expect(
      news == [
        "learned    controller 20 on channel 1 of nanoKONTROL turns mixer \"input 0 pan\", "
          + "and no longer mixer \"input 0 gain\""
      ])
    try learn("pan 1", 21)
    #expect(session.controls.learned.count == 2)
    let forgotten = try perform("unlearn pan 1")
    #expect(forgotten == "unlearned  2 controls")
    #expect(error("unlearn pan 1") == "unlearn pan 1: nothing turns it")
    try perform("learn level 2")
    try perform("learn off")
    move(knobs, 20, 3)
    #expect(session.controls.learned.isEmpty && session.controls.waiting == nil)
  }

  @Test("an NRPN is one control of 14 bits; the data entry of registered parameters stays the instruments'")
  mutating func assignable() throws {
    func send(_ values: [(UInt8, UInt8)]) { for (controller, value) in values { move(knobs, controller, value) } }
    try perform("learn pan 1")
    send([(101, 0), (100, 0)])
    send([(99, 1), (98, 5), (6, 64), (38, 0)])
    #expect(session.controls.learned.first?.trigger.kind == .assignable(133))
    send([(6, 96), (38, 1)])
    #expect(abs(mixer.inputs[0].pan.value - Float(2 * (96 * 128 + 1)) / 16383 + 1) < 1e-5)
    send([(101, 0), (100, 0), (6, 2)])
    #expect(abs(mixer.inputs[0].pan.value - 0.5) < 0.01)
  }

  @Test("is kept for the next start at once, in its file and in snapshots")
  mutating func kept() throws {
    try learn("level 3 from -40 to 0 through", 20)
    try perform("learn play toggle")
    keys.send(.noteOn(channel: 9, note: 36, velocity7: 100))
    _ = try control.takeControls()
    let learned = session.controls.learned
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    let next = Session(synthesizer, output: HandOutput(sampleRate: 48000, period: 256), sources: [knobs])
    let nextControl = Self.control(of: next, directory)
    try nextControl.loadControls()
    #expect(next.controls.learned == learned && learned.count == 2)
    let snapshot = control.snapshot
    let read = try SynthesizerSnapshot.read(Array(snapshot.text(program: nil).utf8), path: "a").snapshot
    #expect(read.learned == learned)
    try perform("unlearn all")
    _ = try control.takeControls()
    try nextControl.loadControls()
    #expect(next.controls.learned.isEmpty)
    #expect(control.recall(read).isEmpty)
    #expect(session.controls.learned == learned)
  }

  @Test("a surface is woken, performs what is called, and tells its program and clients what was learned")
  mutating func surface() throws {
    final class Host: SurfaceHost {
      var lines: [String] = []
      func perform(_ line: String) throws -> String? { line == "next" ? "playing    b.mid" : nil }
      func tell(_ text: String, isError: Bool) { lines.append(text) }
    }
    let (host, surface) = (Host(), ControlSurface(control, session: session))
    surface.host = host
    session.controls.programCommands = ["next": .network]
    _ = try surface.perform("learn next")
    keys.send(.noteOn(channel: 0, note: 21, velocity7: 1))
    func turnWhenWoken() {
      var request = pollfd(fd: surface.wakeDescriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&request, 1, 10_000) == 1)
      surface.turn()
    }
    turnWhenWoken()
    keys.send(.noteOn(channel: 0, note: 21, velocity7: 1))
    turnWhenWoken()
    #expect(
      host.lines == ["learned    note 21 on channel 1 of Keystation turns next", "playing    b.mid"])
    #expect(try surface.state()?["log"]?.list?.count == 2)
  }

  @Test("clients see what is waited for, what was learned, with its range, and the snapshots there are")
  mutating func state() throws {
    let surface = ControlSurface(control, session: session)
    let client = try surface.connect(named: "page", as: .owner) {}
    func isTold(_ change: String) -> Bool {
      surface.turn()
      var lines: [String] = []
      while let line = client.line() { lines.append(line) }
      return lines.contains { $0.hasPrefix(#"{"change""#) && $0.contains(change) }
    }
    _ = client.ask(#"{"subscribe": {"state": true}}"#)
    #expect(!isTold("learned"))
    #expect(try surface.state()?["learned"]?.description == #"{"waiting": null, "controls": []}"#)
    _ = try surface.perform("learn send 3 reverb from 0.1 to 0.9")
    #expect(isTold(#""learned": {"waiting": "send 3 reverb", "controls": []}"#))
    move(knobs, 20, 64)
    let trigger = #"{"trigger": "controller 20 on channel 1 of nanoKONTROL", "target""#
    #expect(
      isTold(
        #""learned": {"waiting": null, "controls": [\#(trigger): "send 3 reverb", "range": "0.1 to 0.9", "#
          + #""toggle": false, "through": false}]}"#))
    for (number, line) in ["gain", "reverb time", "mute 2 toggle", "preset next through"].enumerated() {
      _ = try surface.perform("learn \(line)")
      move(knobs, 30 + UInt8(number), 64)
    }
    let learned = try surface.state()?["learned"]?["controls"]?.list ?? []
    #expect(learned.map { $0["target"]?.text } == ["send 3 reverb", "gain", "reverb time", "mute 2", "preset next"])
    #expect(learned.map { $0["range"]?.text } == ["0.1 to 0.9", "−120 dB to 6 dB", "0.1 s to 20 s", nil, nil])
    _ = try surface.perform("snapshot save lead")
    #expect(isTold(#""snapshots": [{"name": "lead", "program": 0}]"#))
    _ = try surface.perform("snapshot delete lead")
    #expect(isTold(#""snapshots": []"#))
  }

  @Test(
    "what cannot be learned is refused in a line",
    arguments: [
      ("learn mixer wobble", "set mixer wobble: no such parameter; set mixer lists those there are"),
      ("learn preset", "learn preset: it changes nothing; give all its words, or a node and a parameter"),
      ("learn xyzzy", "xyzzy: no such command"),
      ("learn pan 1 from left to 1", "learn mixer \"input 0 pan\" left: give a number from −1 to 1"),
      ("learn mute 1 from 0 to 1", "learn mixer \"input 0 mute\" 0: it has no range; leave out from and to"),
      ("unlearn", "a word is missing: unlearn NODE PARAMETER|COMMAND|all"),
    ])
  func refused(line: String, reason: String) { #expect(error(line) == reason) }

  @Test("a file of learned controls that is wrong is told with the place")
  mutating func fault() throws {
    let text = #"{"version": 1, "learned": [{"controller": 200, "channel": 1, "command": "preset next"}]}"#
    try StateFile.write(Array(text.utf8), to: "\(directory)/learned.json")
    do {
      try control.loadControls()
      Issue.record("it was read")
    } catch {
      #expect(
        "\(error)".hasPrefix("reading learned controls \(directory)/learned.json:1:43: learned[0].controller: 200 is"))
    }
  }
}
