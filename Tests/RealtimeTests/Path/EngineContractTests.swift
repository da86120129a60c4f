import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("Every sound engine keeps the contract of the rack")
struct EngineContractTests {
  private static let on = MIDIMessage.noteOn(channel: 0, note: 60, velocity7: 100)
  private static let off = MIDIMessage.noteOff(channel: 0, note: 60)
  private static let resets: [[UInt8]] = [
    [0x7E, 0x7F, 0x09, 0x01], [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41],
    [0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00],
  ]
  /// A lower MPE zone of 15 members.
  private static let zone = MIDIMessage.registeredController(channel: 0, parameter: 6, value32: 15 << 25)

  private func control(_ controller: Controller, _ value: UInt8 = 0, channel: UInt8 = 0) -> MIDIMessage {
    .controlChange(channel: channel, controller, value7: value)
  }

  @Test("a note of its keys sounds until it is let go, and no other does", arguments: ContractEngine.allCases)
  func notes(_ engine: ContractEngine) throws {
    let rack = try ContractRack(engine, keys: 0...71)
    rack.play(.noteOn(channel: 0, note: 72, velocity7: 100))
    #expect(!rack.isSounding())
    rack.play(Self.on)
    #expect(rack.isSounding() && rack.rack.activeVoiceCount > 0)
    rack.play(Self.off)
    #expect(!rack.isSounding())
  }

  @Test("the sustain pedal holds what is let go", arguments: ContractEngine.allCases)
  func sustain(_ engine: ContractEngine) throws {
    let rack = try ContractRack(engine)
    rack.play(control(.sustain, 127), Self.on, Self.off)
    #expect(rack.isSounding())
    rack.play(control(.sustain, 0))
    #expect(!rack.isSounding())
  }

  @Test("the sostenuto pedal holds the keys that were down, and no later ones", arguments: ContractEngine.allCases)
  func sostenuto(_ engine: ContractEngine) throws {
    let rack = try ContractRack(engine)
    rack.play(control(.sostenuto, 127), Self.on, Self.off)
    #expect(!rack.isSounding())
    rack.play(control(.sostenuto, 0), Self.on, control(.sostenuto, 127), Self.off)
    #expect(rack.isSounding())
    rack.play(control(.sostenuto, 0))
    #expect(!rack.isSounding())
  }

  @Test("All Sound Off ends what a pedal holds", arguments: ContractEngine.allCases)
  func allSoundOff(_ engine: ContractEngine) throws {
    let rack = try ContractRack(engine)
    rack.play(control(.sustain, 127), Self.on)
    #expect(rack.isSounding())
    rack.play(control(.allSoundOff))
    #expect(!rack.isSounding())
  }

  @Test(
    "All Notes Off and the modes let keys go, and leave what a pedal holds", arguments: ContractEngine.allCases,
    [Controller.allNotesOff, .omniOff, .omniOn, .monoOn, .polyOn])
  func modes(_ engine: ContractEngine, _ mode: Controller) throws {
    let rack = try ContractRack(engine)
    rack.play(Self.on)
    #expect(rack.isSounding())
    rack.play(control(mode))
    #expect(!rack.isSounding())
    rack.play(control(.sustain, 127), Self.on, control(mode))
    #expect(rack.isSounding())
    rack.play(control(.sustain, 0))
    #expect(!rack.isSounding())
  }

  @Test("Reset All Controllers lifts the pedals", arguments: ContractEngine.allCases, [Controller.sustain, .sostenuto])
  func resetControllers(_ engine: ContractEngine, _ pedal: Controller) throws {
    let rack = try ContractRack(engine)
    rack.play(Self.on, control(pedal, 127), Self.off)
    #expect(rack.isSounding())
    rack.play(control(.resetAllControllers))
    #expect(!rack.isSounding())
  }

  @Test("bends move what sounds", arguments: ContractEngine.allCases)
  func bends(_ engine: ContractEngine) throws {
    let rack = try ContractRack(engine)
    rack.play(Self.on)
    #expect(try pitch(rack, among: [57, 60, 62, 65]) == 60)
    rack.play(.pitchBend(channel: 0, bend14: 16383))
    #expect(try pitch(rack, among: [57, 60, 62, 65]) == 62)
  }

  /// Which of some keys is heard most.
  private func pitch(_ rack: ContractRack, among keys: [Double]) throws -> Double {
    _ = rack.render(2400)
    let samples = rack.render(24000)[0]
    return try #require(keys.max { partial(samples, key: $0) < partial(samples, key: $1) })
  }

  @Test(
    "the member of an MPE zone plays, bends and ends by its own messages and its master's",
    arguments: ContractEngine.allCases)
  func zones(_ engine: ContractEngine) throws {
    let rack = try ContractRack(engine)
    let note = MIDIMessage.noteOn(channel: 3, note: 60, velocity7: 100)
    rack.play(Self.zone, .programChange(channel: 0, program: 16), note)
    #expect(try pitch(rack, among: [60, 65, 70, 72]) == 60)
    // A quarter of 48 semitones, less the master's 2.
    rack.play(.pitchBend(channel: 3, value32: 0xA000_0000), .pitchBend(channel: 0, bend14: 0))
    #expect(try pitch(rack, among: [60, 65, 70, 72]) == 70)
    rack.play(control(.volume, 0))
    #expect(!rack.isAudible())
    rack.play(control(.volume, 100), control(.sustain, 127), .noteOff(channel: 3, note: 60))
    #expect(rack.isSounding())
    rack.play(control(.sustain, 0))
    #expect(!rack.isSounding())
    for end in [control(.allNotesOff), control(.allSoundOff), Self.zone] {
      rack.play(note)
      #expect(rack.isSounding())
      rack.play(end)
      #expect(!rack.isSounding())
    }
  }

  @Test("level follows volume and expression as squares, pan and the rack's gain", arguments: ContractEngine.allCases)
  func levels(_ engine: ContractEngine) throws {
    func level(_ messages: [MIDIMessage] = [], gain: Double = 0.25) throws -> [Double] {
      let rack = try ContractRack(engine, gain: gain)
      for message in messages + [Self.on] { rack.play(message) }
      _ = rack.render(4800)
      return rack.render(24000).map { partial($0, key: 60) }
    }
    let plain = try level([control(.volume, 127)])
    #expect(plain[0] > 1e-3 && abs(plain[0] / plain[1] - 1) < 0.02)
    let square = 64.0 * 64 / 127 / 127
    for messages in [[control(.volume, 64)], [control(.volume, 127), control(.expression, 64)]] {
      #expect(abs(try level(messages)[0] / plain[0] / square - 1) < 0.1)
    }
    #expect(abs(try level([control(.volume, 127)], gain: 0.125)[0] / plain[0] - 0.5) < 0.01)
    let left = try level([control(.volume, 127), control(.pan, 0)])
    #expect(left[1] < 0.01 * left[0] && abs(left[0] / plain[0] - 2.0.squareRoot()) < 0.05)
  }

  @Test("GM, GS and XG resets end what pedals hold, and reset controllers", arguments: ContractEngine.allCases, resets)
  func systemResets(_ engine: ContractEngine, _ message: [UInt8]) throws {
    let rack = try ContractRack(engine)
    rack.play(control(.sustain, 127), Self.on, Self.off)
    #expect(rack.isSounding())
    rack.play(control(.volume, 0), Self.zone)
    rack.play(systemExclusive: message)
    #expect(!rack.isSounding())
    rack.selectOrgan()
    rack.play(Self.on)
    #expect(rack.isSounding())
    rack.play(Self.off)
    #expect(!rack.isSounding())
  }

  @Test("after a reset it sounds as it did at first, to the last bit", arguments: ContractEngine.allCases)
  func reset(_ engine: ContractEngine) throws {
    let rack = try ContractRack(engine)
    var lives: [[[Float]]] = []
    for life in 0..<3 {
      rack.play(Self.on, after: 100)
      lives.append(rack.render(9600))
      guard life > 0 else { try rack.reset(); continue }
      rack.play(
        control(.sustain, 127), control(.volume, 3), control(.monoOn), .pitchBend(channel: 0, bend14: 3), Self.zone,
        .noteOn(channel: 5, note: 70, velocity7: 90), .programChange(channel: 0, program: 40))
      _ = rack.render(1000)
      try rack.reset()
    }
    #expect(peak(lives[0].joined()) > 1e-3)
    #expect(lives[1] == lives[2])
    // A voice of FluidSynth 2.3 that played before begins its first 64 frames at the gain it had, and not at 0.
    let start = engine == .fluidSynth ? 128 : 0
    for channel in 0..<2 { #expect(lives[0][channel][start...] == lives[1][channel][start...]) }
  }

  @Test(
    "a note that is recorded is so from the quantum it begins in to its end, with what the pedal holds",
    arguments: ContractEngine.allCases)
  func recording(_ engine: ContractEngine) throws {
    // A tick is 50 frames. Key 72 is not the engine's.
    let track: [[UInt8]] = [
      [0, 0xC0, 16, 0, 0xB0, 64, 127, 33, 0x90, 60, 100, 0, 0x90, 72, 100, 67, 0x80, 60, 0], vlq(300),
      [0xB0, 64, 0, 0, 0x80, 72, 0], end(after: 960),
    ]
    let song = Song(try MIDIFile(bytes: smf(format: 0, tracks: [track.flatMap(\.self)])))
    let timeline = Timeline(song, sampleRate: 48000)
    let log = NoteLog(of: timeline)
    let rack = try ContractRack(engine, keys: 0...71)
    rack.rack.events.play(timeline, notes: log)
    let samples = rack.render(72000)
    let (first, other) = (log[2], log[3])
    #expect((1600...1650).contains(first.start) && first.end % 64 == 0 && !first.isStolen)
    let sounding = samples[0].indices.filter { samples[0][$0] != 0 || samples[1][$0] != 0 }
    let (start, end) = (Int64(try #require(sounding.first)), Int64(try #require(sounding.last)) + 1)
    #expect((first.start..<first.start + 128).contains(start))
    #expect((first.end - 127...first.end).contains(end) && end > 20000)
    #expect(other.start == .max && rack.rack.preset(of: other, onChannel: 0) != nil)
  }

  @Test("a sound is the same for every slice size", arguments: ContractEngine.allCases, [13, 480])
  func slices(_ engine: ContractEngine, _ size: Int) throws {
    let lives = try [64, size].map { size in
      let rack = try ContractRack(engine)
      rack.play(Self.on, after: 100)
      rack.play(.pitchBend(channel: 0, bend14: 0), after: 700)
      rack.play(Self.off, after: 1500)
      return rack.render(6240, sliceSize: size)
    }
    #expect(lives[0] == lives[1])
    #expect(peak(lives[0].joined()) > 1e-3)
  }

  @Test(
    "in an exchange it leaves notes to its predecessor, and knows what channels were told",
    arguments: ContractEngine.allCases)
  func exchange(_ engine: ContractEngine) throws {
    let rack = try ContractRack(engine)
    rack.play(Self.on, .pitchBend(channel: 1, bend14: 16383), control(.volume, 0, channel: 2))
    #expect(rack.isSounding())
    try rack.exchange()
    #expect(rack.isSounding() && !rack.rack.collect())
    rack.play(Self.off)
    #expect(!rack.isSounding() && rack.rack.collect())
    rack.play(.noteOn(channel: 2, note: 60, velocity7: 100))
    #expect(!rack.isAudible())
    rack.play(.noteOn(channel: 1, note: 60, velocity7: 100))
    #expect(try pitch(rack, among: [57, 60, 62, 65]) == 62)
  }
}
