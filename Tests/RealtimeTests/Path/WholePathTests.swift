import AudioGraph
import SynthDSP
import SynthInstruments
import SynthKit
import SynthMIDI
import TestSupport
import Testing

/// From the event queue to the device's buffer, a SoundFont engine in between: the audio thread neither allocates,
/// frees, locks, waits, makes a system call, retains nor releases.
@Suite("The whole path renders without a violation")
struct WholePathTests {
  private let path: WholePath
  private var violations: Violations { path.watched.violations }

  init() throws { path = try WholePath() }

  @Test("a song, in slices of any size", arguments: SamplerEngine.allCases, [1, 64, 100, 441, 4096])
  func song(engine: SamplerEngine, sliceSize: Int) throws {
    let path = try WholePath(engine)
    path.sampler.events.play(try WholePath.timeline())
    path.watched.render(12_000, sliceSize: sliceSize)
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }

  @Test("ten seconds of a song", arguments: SamplerEngine.allCases)
  func tenSeconds(_ engine: SamplerEngine) throws {
    let path = try WholePath(engine)
    path.sampler.events.play(try WholePath.timeline())
    path.watched.render(480_000, sliceSize: 512)
    #expect(path.sampler.activeVoiceCount > 0)
    #expect(path.mixer.inputs[9].meter.takePeak(0) > 0, "the drums are to be heard")
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }

  @Test("presets that change while a song plays, also amid the fade of the last")
  func presets() throws {
    path.sampler.events.play(try WholePath.timeline())
    for curve in [EqualizerCurve.flat, try TestNodes.curve(), .flat, try TestNodes.curve()] {
      path.equalizer.curve = curve
      path.watched.render(3000, sliceSize: 100)
    }
    #expect(violations.isEmpty, "\(violations)")
  }

  @Test("presets that a song's programs and a sweeping controller choose, also amid the fade of the last")
  func chosenPresets() throws {
    path.sampler.events.play(try WholePath.timeline())
    path.watched.render(3000)
    for program in [0, 1, 2, 0] as [UInt8] {
      path.play(.programChange(channel: 15, program: program), .noteOn(channel: 15, note: 60, velocity7: 100))
      path.watched.render(6000, sliceSize: 100)
    }
    #expect(path.equalizer.preset.value == 1)
    for value in 0...127 as ClosedRange<UInt8> {
      path.play(.controlChange(channel: 3, Controller(rawValue: 20), value7: value))
    }
    #expect(path.equalizer.preset.value == 2)
    #expect(violations.isEmpty, "\(violations)")
  }

  @Test("every controller, at its ends and its middle, on a sounding channel", arguments: SamplerEngine.allCases)
  func controllers(_ engine: SamplerEngine) throws {
    let path = try WholePath(engine)
    for number in 0...127 as ClosedRange<UInt8> {
      for value in [0, 64, 127] as [UInt8] {
        path.play(
          .noteOn(channel: 3, note: 60, velocity7: 100),
          .controlChange(channel: 3, Controller(rawValue: number), value7: value))
      }
    }
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }

  @Test("every kind of channel message on every channel", arguments: SamplerEngine.allCases)
  func messages(_ engine: SamplerEngine) throws {
    let path = try WholePath(engine)
    for channel in 0...15 as ClosedRange<UInt8> {
      path.play(.noteOn(channel: channel, note: 60, velocity7: 127))
      path.play(.polyPressure(channel: channel, note: 60, value7: 90), .channelPressure(channel: channel, value7: 80))
      path.play(.pitchBend(channel: channel, bend14: 0), .pitchBend(channel: channel, bend14: 16383))
      path.play(.registeredController(channel: channel, parameter: 0, value32: 12 << 25))
      path.play(.assignableController(channel: channel, parameter: 0x488, value32: 1 << 31))
      path.play(.perNotePitchBend(channel: channel, note: 60, value32: 0))
      path.play(.noteOff(channel: channel, note: 60))
    }
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }

  @Test(
    "every program, of melody, drum and absent banks, while a note sounds",
    arguments: SamplerEngine.allCases, [0, 1, 8 << 7, 120 << 7, 128 << 7])
  func programs(engine: SamplerEngine, bank: UInt16) throws {
    let path = try WholePath(engine)
    for program in 0...127 as ClosedRange<UInt8> {
      path.play(
        .noteOn(channel: 9, note: 40, velocity7: 100), .noteOn(channel: 0, note: 60, velocity7: 100),
        .programChange(channel: 0, program: program, bank: bank), .programChange(channel: 9, program: program))
    }
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }

  @Test("resets and part modes by System Exclusive", arguments: SamplerEngine.allCases, SystemExclusive.all)
  func systemExclusive(engine: SamplerEngine, _ message: SystemExclusive) throws {
    let path = try WholePath(engine)
    path.play(.noteOn(channel: 0, note: 60, velocity7: 100))
    path.play(systemExclusive: message.bytes)
    path.play(.noteOn(channel: 0, note: 64, velocity7: 100))
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }

  @Test("tunings selected, notes retuned and led on, on the sampler and on voices", arguments: SamplerEngine.allCases)
  func tuning(_ engine: SamplerEngine) throws {
    let path = try WholePath(engine)
    for node in [
      try TestNodes.node(of: try ComponentRegistry.standard().component(named: "instruments")), path.sampler,
    ] {
      let watched = node === path.sampler ? path.watched : WatchedEngine()
      if node !== path.sampler { try watched.place(node, fedWith: .stereo(48000)) }
      let events = (node as? RackNode)?.events ?? path.sampler.events
      for channel in UInt8(0)..<3 {
        for message: MIDIMessage in [
          .registeredController(channel: channel, parameter: 3, value32: 7 << 25),
          .registeredController(channel: channel, parameter: 4, value32: 1 << 25),
          .controlChange(channel: channel, .dataIncrement, value7: 0),
          .controlChange(channel: channel, .monoOn, value7: 1), .controlChange(channel: channel, .legato, value7: 127),
          .noteOn(channel: channel, note: 60, velocity7: 100),
        ] { _ = events.send(MIDIEvent(time: 0, message: message)) }
      }
      watched.render(256)
      for bytes in [noteTuning([(60, 60.5)], bank: 1, program: 8), scaleTuning(Array(repeating: 20, count: 12))] {
        bytes.withUnsafeBufferPointer { #expect(events.send(systemExclusive: $0, time: 0)) }
        for channel in UInt8(0)..<3 {
          _ = events.send(MIDIEvent(time: 0, message: .noteOn(channel: channel, note: 64, velocity7: 100)))
          _ = events.send(MIDIEvent(time: 0, message: .noteOff(channel: channel, note: 64)))
        }
        watched.render(256)
      }
      #expect(watched.peak() > 0)
      #expect(watched.violations.isEmpty, "\(node.name): \(watched.violations)")
    }
  }

  @Test("a song that tells parts all sorts of things", arguments: SamplerEngine.allCases)
  func parts(_ engine: SamplerEngine) throws {
    let path = try WholePath(engine)
    let song = Timeline(Song(try MIDIFile(bytes: PartSong(seed: 1).file)), sampleRate: 48000)
    path.sampler.events.play(song)
    for _ in 0..<200 { path.watched.render(3000) }
    #expect(path.watched.peak() > 0)
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }

  @Test("more notes than there are voices", arguments: SamplerEngine.allCases)
  func voiceShortage(_ engine: SamplerEngine) throws {
    let path = try WholePath(engine, polyphony: 8)
    for note in 0...127 as ClosedRange<UInt8> {
      path.play(.noteOn(channel: 0, note: note, velocity7: 100), .noteOn(channel: 9, note: note, velocity7: 100))
    }
    #expect((1...8).contains(path.sampler.activeVoiceCount))
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }

  @Test("a full event queue")
  func fullQueue() {
    while path.sampler.events.send(MIDIEvent(time: 0, message: .channelPressure(channel: 0, value7: 1))) {}
    path.watched.render(64)
    #expect(violations.isEmpty, "\(violations)")
  }

  @Test("edits of the graph and new timelines, adopted between two quanta")
  func edits() throws {
    let source = TestNodes.source(.mono(48000))
    for _ in 1...100 {
      path.sampler.events.play(try WholePath.timeline())
      try path.watched.engine.edit { graph in
        try graph.attach(source)
        try graph.disconnect(input: path.mixer, bus: 0)
        try graph.connect(source, to: path.mixer, toBus: 0)
      }
      path.watched.render(192)
      try path.watched.engine.edit { graph in
        try graph.detach(source)
        try graph.connect(path.sampler, to: path.mixer)
      }
      path.watched.render(192)
    }
    #expect(violations.isEmpty, "\(violations)")
  }
}

/// A System Exclusive message by name; its bytes without F0 and F7.
struct SystemExclusive: Sendable, CustomStringConvertible {
  let description: String
  let bytes: [UInt8]

  static let all = [
    SystemExclusive(description: "GM System On", bytes: [0x7E, 0x7F, 0x09, 0x01]),
    SystemExclusive(description: "GM2 System On", bytes: [0x7E, 0x7F, 0x09, 0x03]),
    SystemExclusive(description: "GM System Off", bytes: [0x7E, 0x7F, 0x09, 0x02]),
    SystemExclusive(description: "GS Reset", bytes: [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41]),
    SystemExclusive(
      description: "GS part 11 becomes drums", bytes: [0x41, 0x10, 0x42, 0x12, 0x40, 0x1A, 0x15, 0x01, 0x10]),
    SystemExclusive(
      description: "GM2 reverb type and time",
      bytes: [0x7F, 0x7F, 0x04, 0x05, 0x01, 0x01, 0x01, 0x01, 0x01, 0x00, 0x08, 0x01, 0x40]),
    SystemExclusive(
      description: "GS chorus macro", bytes: [0x41, 0x10, 0x42, 0x12, 0x40, 0x01, 0x38, 0x04, 0x03]),
    SystemExclusive(description: "XG reverb type", bytes: [0x43, 0x10, 0x4C, 0x02, 0x01, 0x00, 0x02, 0x01]),
    SystemExclusive(description: "XG System On", bytes: [0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00]),
    SystemExclusive(description: "Master Volume", bytes: [0x7F, 0x7F, 0x04, 0x01, 0x00, 0x40]),
    SystemExclusive(description: "a key tuned", bytes: noteTuning([(60, 61)])),
    SystemExclusive(description: "a key tuned for later", bytes: noteTuning([(60, 61)], bank: 1, isRealTime: false)),
    SystemExclusive(description: "a bulk tuning dump", bytes: tuningDump((0..<128).map { Double($0) * 0.9 })),
    SystemExclusive(
      description: "an octave tuning dump", bytes: octaveDump(Array(repeating: 9, count: 12), bank: 0, program: 0)),
    SystemExclusive(description: "a scale", bytes: scaleTuning(Array(repeating: 30, count: 12))),
    SystemExclusive(
      description: "a GS part's tone to sends",
      bytes: roland(
        [0x40, 0x11, 0, 0, 0, 0] + [UInt8](repeating: 1, count: 16) + [1, 0, 1, 76, 8, 0, 0, 90, 70, 60, 0])),
    SystemExclusive(
      description: "a GS part's offsets and scale",
      bytes: roland([0x40, 0x11, 0x30] + [UInt8](repeating: 70, count: 28))),
    SystemExclusive(
      description: "a GS part's controllers", bytes: roland([0x40, 0x21, 0] + [UInt8](repeating: 80, count: 96))),
    SystemExclusive(
      description: "all of an XG part",
      bytes: [0x43, 0x10, 0x4C, 8, 0, 0] + (0..<112).map { $0 == 4 ? 0 : 70 }),
    SystemExclusive(description: "pressure to pitch", bytes: [0x7F, 0x7F, 9, 1, 0, 0, 0x46, 1, 0x30, 2, 0x30]),
    SystemExclusive(description: "master tuning", bytes: [0x7F, 0x7F, 4, 4, 0, 0x43]),
    SystemExclusive(description: "a fragment", bytes: [0x7E]),
  ]
}

/// A data set of a GS module from an address on, with its checksum.
private func roland(_ body: [UInt8]) -> [UInt8] {
  [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - body.reduce(0) { $0 + Int($1) } % 128) % 128)]
}
