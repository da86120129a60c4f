import AudioGraph
import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("Instruments are exchanged while they play")
struct ExchangeTests {
  private static let builtInFont = "soundfonts/synth-gm.sf2"

  private static func fonts(
    _ engine: SamplerEngine = .fluidSynth
  ) throws -> (old: RackConfiguration, new: RackConfiguration) {
    let builtIn = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return (configuration(try TestFiles.soundFont, engine), configuration("/\(builtIn)/\(builtInFont)", engine))
  }

  private static func configuration(_ font: String, _ engine: SamplerEngine = .fluidSynth) -> RackConfiguration {
    var sampler = SamplerConfiguration(soundFonts: [font], linearGain: 1)
    sampler.engine = engine
    return RackConfiguration(sampler: sampler)
  }

  private func note(_ channel: UInt8, _ key: UInt8) -> MIDIMessage {
    .noteOn(channel: channel, note: key, velocity7: 90)
  }

  @Test(
    "a held note goes on to the last bit, and follows its pedal, bends and release", arguments: SamplerEngine.allCases)
  func heldNote(_ engine: SamplerEngine) throws {
    let (old, new) = try Self.fonts(engine)
    let (exchanged, kept) = (try PlayedRack(old), try PlayedRack(old))
    var samples: [[Float]] = [[], []]
    for (index, player) in [exchanged, kept].enumerated() {
      player.play(.programChange(channel: 0, program: 16), note(0, 60), note(0, 67))
      samples[index] += player.render(4800)
      if index == 0 { try player.rack.exchange(new) }
      samples[index] += player.render(4800)
      player.play(.controlChange(channel: 0, .sustain, value7: 127), .noteOff(channel: 0, note: 60, velocity7: 0))
      player.play(.pitchBend(channel: 0, bend14: 12000), .controlChange(channel: 0, .volume, value7: 60))
      samples[index] += player.render(4800)
      player.play(.controlChange(channel: 0, .sustain, value7: 0), .noteOff(channel: 0, note: 67, velocity7: 0))
      samples[index] += player.render(48000)
    }
    #expect(samples[0] == samples[1])
    #expect(samples[0][14000...].contains { abs($0) > 0.001 })
    #expect(exchanged.rack.activeVoiceCount == 0)
    #expect(exchanged.rack.collect())
  }

  @Test("a note after it is the new instruments' own", arguments: ChannelHistory.all, SamplerEngine.allCases)
  func newNote(_ history: ChannelHistory, _ engine: SamplerEngine) throws {
    let (one, other) = try Self.fonts(engine)
    try compare(history, one, other)
    try compare(history, other, one)
  }

  private func compare(_ history: ChannelHistory, _ old: RackConfiguration, _ new: RackConfiguration) throws {
    let (exchanged, made) = (try PlayedRack(old), try PlayedRack(new))
    for player in [exchanged, made] {
      for item in history.items { player.play(item) }
      _ = player.render(640)
    }
    try exchanged.rack.exchange(new)
    var samples: [[Float]] = []
    for player in [exchanged, made] {
      _ = player.render(64)
      for channel in history.channels { player.play(note(channel, 50)) }
      player.play(history.after)
      samples.append(player.render(9600))
    }
    #expect(samples[0].contains { abs($0) > 0.001 })
    #expect(samples[0] == samples[1])
  }

  @Test("a second exchange fades what still rings of the first, without a step")
  func twice() throws {
    let (old, new) = try Self.fonts()
    let player = try PlayedRack(old)
    player.play(.programChange(channel: 0, program: 16), note(0, 40))
    var samples = player.render(24000)
    let before = samples.suffix(12000).steepest
    try player.rack.exchange(new)
    samples += player.render(4800)
    try player.rack.exchange(old)
    let during = player.render(4800)
    #expect((samples.suffix(4800) + during).steepest <= before * 1.05)
    #expect(during[..<200].contains { abs($0) > 0.001 })
    #expect(during[512...].allSatisfy { $0 == 0 })
    #expect(player.rack.collect())
  }

  @Test(
    "a timeline begins on the instruments that were sent before it, once what rings has faded",
    arguments: SamplerEngine.allCases)
  func timeline(_ engine: SamplerEngine) throws {
    let (old, new) = try Self.fonts(engine)
    let (player, made) = (try PlayedRack(old), try PlayedRack(old))
    player.play(.programChange(channel: 0, program: 16), note(0, 40))
    _ = player.render(4800)
    try player.rack.exchange(new)
    _ = player.render(64)
    try player.rack.exchange(old)
    let timeline = Timeline(Song(try MIDIFile(path: try TestFiles.song)), sampleRate: 48000)
    for player in [player, made] { player.rack.events.play(timeline) }
    #expect(player.render(256).contains { abs($0) > 0.001 })
    #expect(player.render(48000) == made.render(48000))
    #expect(player.rack.collect())
  }

  @Test("of exchanges that come at once the last one wins")
  func burst() throws {
    let (old, new) = try Self.fonts()
    let player = try PlayedRack(old)
    try player.rack.exchange(old)
    try player.rack.exchange(new)
    let made = try PlayedRack(new)
    for player in [player, made] { player.play(note(0, 60)) }
    #expect(player.render(4800) == made.render(4800))
    #expect(player.rack.configuration.sampler.soundFonts == new.sampler.soundFonts)
  }

  @Test("of a thousand exchanges under a held note none is left behind")
  func many() throws {
    let player = try PlayedRack(.bare())
    var configuration = player.rack.configuration
    configuration.polyphony = 8
    player.play(note(0, 60))
    for _ in 0..<1000 {
      try player.rack.exchange(configuration)
      _ = player.render(320)
    }
    #expect(player.rack.collect())
  }

  @Test("a font that cannot be loaded leaves all as it was, and is told by the property too")
  func refusal() throws {
    let (old, new) = try Self.fonts()
    let player = try PlayedRack(old)
    #expect(throws: InstrumentError.self) { try player.rack.exchange(Self.configuration("/nowhere.sf2")) }
    let fonts = try player.rack.property(named: "sound fonts")
    #expect(throws: InstrumentError.self) { try fonts.set(["/nowhere.sf2"]) }
    #expect(fonts.value == .list(old.sampler.soundFonts.map { .text($0) }))
    try fonts.set(.list(new.sampler.soundFonts.map { .text($0) }))
    #expect(player.rack.configuration.sampler.soundFonts == new.sampler.soundFonts)
  }

  @Test("oscillator voices hand their channels on to a sampler", arguments: SamplerEngine.allCases)
  func fromOscillators(_ engine: SamplerEngine) throws {
    let (_, new) = try Self.fonts(engine)
    let (exchanged, made) = (try PlayedRack(.bare()), try PlayedRack(new))
    let history: [MIDIMessage] = [
      .programChange(channel: 3, program: 48), .controlChange(channel: 3, .volume, value7: 70),
      .controlChange(channel: 3, .pan, value7: 20), .pitchBend(channel: 3, bend14: 9000),
      .registeredController(channel: 3, parameter: 0, value32: 12 << 25),
    ]
    for player in [exchanged, made] {
      for message in history { player.play(message) }
      _ = player.render(64)
    }
    try exchanged.rack.exchange(new)
    for player in [exchanged, made] { player.play(note(3, 60)) }
    #expect(exchanged.render(4800) == made.render(4800))
  }
}

/// What channels were told before an exchange, and what shows it.
struct ChannelHistory: CustomTestStringConvertible, Sendable {
  enum Item: Sendable {
    case message(MIDIMessage)
    case systemExclusive([UInt8])
  }

  let name: String
  let items: [Item]
  var channels: [UInt8] = [0]
  /// Shows what data entry is for, say.
  var after: Item = .message(.controlChange(channel: 0, .modulation, value7: 0))

  var testDescription: String { name }

  private static func controls(_ channel: UInt8, _ pairs: (UInt8, UInt8)...) -> [Item] {
    pairs.map { .message(.controlChange(channel: channel, Controller(rawValue: $0.0), value7: $0.1)) }
  }

  private static func program(_ channel: UInt8, _ program: UInt8) -> Item {
    .message(.programChange(channel: channel, program: program))
  }

  static let all = [
    ChannelHistory(name: "nothing", items: [], channels: [0, 9]),
    ChannelHistory(name: "programs", items: [program(0, 48), program(5, 81), program(9, 16)], channels: [0, 5, 9]),
    ChannelHistory(name: "controllers", items: controls(0, (1, 90), (7, 60), (10, 20), (11, 99), (64, 127), (74, 30))),
    ChannelHistory(
      name: "bend and its range",
      items: controls(0, (101, 0), (100, 0), (6, 24)) + [.message(.pitchBend(channel: 0, bend14: 12345))]),
    ChannelHistory(name: "tuning", items: controls(0, (101, 0), (100, 1), (38, 5), (6, 80), (100, 2), (6, 70))),
    ChannelHistory(
      name: "a parameter that is selected", items: controls(0, (99, 120), (98, 52), (101, 0), (100, 2)),
      after: controls(0, (6, 70))[0]),
    ChannelHistory(
      name: "a generator that is selected", items: controls(0, (101, 0), (100, 2), (99, 120), (98, 52)),
      after: controls(0, (6, 70))[0]),
    ChannelHistory(
      name: "a generator set", items: controls(0, (99, 120), (98, 52), (6, 70)), after: controls(0, (6, 70))[0]),
    ChannelHistory(
      name: "pressures",
      items: [
        .message(.channelPressure(channel: 0, value7: 100)), .message(.polyPressure(channel: 0, note: 50, value7: 90)),
      ]
    ),
    ChannelHistory(name: "mono", items: controls(0, (126, 0)) + [program(0, 81)]),
    ChannelHistory(name: "mono on another channel", items: controls(3, (126, 1)) + [program(3, 81)], channels: [3, 4]),
    ChannelHistory(
      name: "a GS drum part", items: [.systemExclusive([0x41, 0x10, 0x42, 0x12, 0x40, 0x13, 0x15, 2, 0x16])],
      channels: [2]),
    ChannelHistory(
      name: "XG drums by bank",
      items: [.systemExclusive([0x43, 0x10, 0x4C, 0, 0, 0x7E, 0])] + controls(4, (0, 127), (32, 0)) + [program(4, 0)],
      channels: [4]),
    ChannelHistory(
      name: "General MIDI, which has no banks",
      items: [.systemExclusive([0x7E, 0x7F, 9, 1])] + controls(0, (0, 8)) + [program(0, 24)]),
    ChannelHistory(
      name: "a scale, and the tuning of a key in a program",
      items: [
        .systemExclusive(scaleTuning(Array(repeating: 30, count: 12))), .systemExclusive(noteTuning([(50, 50.3)])),
      ],
      channels: [0, 4]),
    ChannelHistory(
      name: "an MPE zone",
      items: controls(0, (101, 0), (100, 6), (6, 15)) + [
        program(0, 48), .message(.pitchBend(channel: 3, bend14: 9000)),
      ],
      channels: [3, 9]),
  ]
}

extension PlayedRack {
  func play(_ item: ChannelHistory.Item) {
    switch item {
    case .message(let message): play(message)
    case .systemExclusive(let bytes): play(systemExclusive: bytes)
    }
  }
}

extension Sequence<Float> {
  /// The greatest difference between neighbours.
  fileprivate var steepest: Float { zip(self, dropFirst()).reduce(0) { Swift.max($0, abs($1.1 - $1.0)) } }
}
