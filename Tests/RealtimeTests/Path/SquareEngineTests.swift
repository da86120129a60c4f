import AudioGraph
import Instruments
import MIDI
import TestSupport
import Testing

/// A square wave of an amplitude: an instrument of another module, which the rack does not know.
struct Square: Instrument {
  let amplitude: Float

  var name: String { "square" }

  static func load(_ loading: EngineLoading<Square>) throws(InstrumentError) -> LoadedEngine {
    guard loading.sampleRate >= 8000 else { throw .notLoaded(instrument: "square", reason: "the rate is too low") }
    return LoadedEngine(SquareEngine(loading.parts[0].instrument.amplitude, loading.sampleRate)) { _, code in
      ChannelPreset(name: "Square", program: Int(code) - 1)
    }
  }
}

/// One note per channel, on until it is let go.
struct SquareEngine: SoundEngine, ~Copyable {
  private let voices: UnsafeMutablePointer<Voice>
  private let amplitude: Float
  private let sampleRate: Float
  private var hasNewPresets = true

  private struct Voice {
    var key = ChannelState.noKey
    var phase: Float = 0
    var program: UInt8 = 0
  }

  init(_ amplitude: Float, _ sampleRate: Double) {
    self.amplitude = amplitude
    self.sampleRate = Float(sampleRate)
    voices = .allocate(capacity: 16)
    voices.initialize(repeating: Voice(), count: 16)
  }

  deinit { voices.deallocate() }

  static let entries = EngineEntries(
    play: { $0.assumingMemoryBound(to: SquareEngine.self).pointee.play(EngineEvent.at($1)) },
    render: { $0.assumingMemoryBound(to: SquareEngine.self).pointee.render(&EngineQuantum.at($1).pointee) },
    reset: { $0.assumingMemoryBound(to: SquareEngine.self).pointee.reset(EngineReset.at($1)) },
    takeOver: { $0.assumingMemoryBound(to: SquareEngine.self).pointee.takeOver(EngineHandover.at($1)) },
    preset: { engine, argument in
      let preset = EnginePreset.at(argument)
      preset.pointee.code = engine.assumingMemoryBound(to: SquareEngine.self).pointee
        .preset(ofChannel: preset.pointee.channel)
    })

  @_noLocks
  mutating func play(_ event: EngineEvent) {
    let voice = voices + Int(event.message.channel)
    switch event.message.kind {
    case .noteOn: voice.pointee.key = event.message.note
    case .noteOff: if voice.pointee.key == event.message.note { voice.pointee.key = ChannelState.noKey }
    case .programChange:
      voice.pointee.program = event.message.program
      hasNewPresets = true
    case .systemExclusive: if case .reset = event.systemExclusive { silence() }
    default: break
    }
  }

  @_noLocks
  mutating func render(_ quantum: inout EngineQuantum) {
    quantum.hasNewPresets = quantum.hasNewPresets || hasNewPresets
    hasNewPresets = false
    for channel in 0..<16 where voices[channel].key != ChannelState.noKey {
      quantum.voiceCount &+= 1
      quantum.isSilent = false
      let state = quantum.performance.pointee.channels[channel]
      let pitch = quantum.performance.pointee.pitch(voices[channel].key, UInt8(truncatingIfNeeded: channel))
      let step = frequency(pitch + state.pitchOffset) / sampleRate
      let bus = quantum.context.output(channel)
      for frame in 0..<64 {
        let sample = voices[channel].phase < 0.5 ? amplitude : -amplitude
        bus[0][frame] += sample * state.volume
        bus[1][frame] += sample * state.volume
        let phase = voices[channel].phase + step
        voices[channel].phase = phase < 1 ? phase : phase - 1
      }
      bus.isSilent = false
    }
  }

  @_noLocks
  mutating func reset(_ reset: EngineReset) { silence() }

  @_noLocks
  mutating func takeOver(_ handover: EngineHandover) {
    for channel in 0..<16 { voices[channel].program = handover.performance.pointee.channels[channel].program }
  }

  @_noLocks
  func preset(ofChannel channel: Int) -> UInt32 { UInt32(voices[channel].program) + 1 }

  @_noLocks
  private mutating func silence() {
    for channel in 0..<16 { voices[channel] = Voice() }
    hasNewPresets = true
  }

  /// By twelfths of an octave from 440 Hz.
  @_noLocks
  private func frequency(_ pitch: Float) -> Float {
    var (frequency, distance): (Float, Float) = (440, pitch - 69)
    while distance >= 1 { (frequency, distance) = (frequency * 1.059_463_1, distance - 1) }
    while distance <= -1 { (frequency, distance) = (frequency / 1.059_463_1, distance + 1) }
    return frequency * (1 + distance * 0.059_463_1)
  }
}

@Suite("A sound engine of another module")
struct SquareEngineTests {
  private let watched = WatchedEngine()

  private func play(_ rack: RackNode, _ messages: MIDIMessage...) {
    for message in messages { _ = rack.events.send(MIDIEvent(time: 0, message: message)) }
  }

  /// A rack whose channels 1 and 2 are mixed to the output.
  private func place(_ rack: RackNode) throws {
    let mixer = MixerNode(inputBusCount: 2)
    let output = try OutputNode(channelCount: 2)
    try watched.engine.edit { graph in
      for node in [rack, mixer, output] as [any AudioNode] { try graph.attach(node) }
      for bus in 0..<2 { try graph.connect(rack, to: mixer, fromBus: bus, toBus: bus) }
      try graph.connect(mixer, to: output)
    }
  }

  @Test("plays its channel's notes, bends and resets, and tells its presets, without a violation")
  func plays() throws {
    let rack = try RackNode(
      RackConfiguration(assignments: [InstrumentAssignment(Square(amplitude: 0.5))]), sampleRate: 48000)
    try place(rack)
    #expect(rack.preset(ofChannel: 3) == ChannelPreset(name: "Square", program: 0))
    play(rack, .programChange(channel: 0, program: 7), .noteOn(channel: 0, note: 69, velocity7: 100))
    watched.render(480)
    #expect(rack.activeVoiceCount == 1)
    #expect(rack.preset(ofChannel: 0) == ChannelPreset(name: "Square", program: 7))
    // The amplitude, times volume 100 of 127; in the middle the mixer leaves stereo as it is.
    let expected = 0.5 * (100.0 / 127)
    #expect(abs(Double(watched.peak()) - expected) < 0.01)
    play(rack, .controlChange(channel: 0, .volume, value7: 0))
    watched.render(640)
    #expect(watched.peak() == 0)
    play(rack, .noteOff(channel: 0, note: 69))
    watched.render(64)
    #expect(rack.activeVoiceCount == 0)
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }

  @Test("splits and layers with the sampler, and takes its place while notes sound, without a violation")
  func rackOfThree() throws {
    let sampler = SamplerConfiguration(soundFonts: [try TestFiles.soundFont])
    let rack = try RackNode(
      RackConfiguration(
        sampler: sampler,
        assignments: [InstrumentAssignment(Square(amplitude: 0.5), channel: 0, keys: 60...127)]), sampleRate: 48000)
    try place(rack)
    play(
      rack, .noteOn(channel: 0, note: 72, velocity7: 100), .noteOn(channel: 0, note: 40, velocity7: 100),
      .programChange(channel: 1, program: 48), .noteOn(channel: 1, note: 60, velocity7: 100))
    watched.render(4800)
    // Key 40 of channel 1 has no instrument.
    #expect(rack.preset(ofChannel: 0)?.name == "Square" && rack.preset(ofChannel: 1)?.program == 48)
    let voices = rack.activeVoiceCount
    #expect(voices >= 2)
    try rack.exchange(
      RackConfiguration(sampler: sampler, assignments: [InstrumentAssignment(Square(amplitude: 0.25))]))
    watched.render(64)
    #expect(rack.preset(ofChannel: 1) == ChannelPreset(name: "Square", program: 48))
    #expect(rack.activeVoiceCount == voices)
    play(rack, .noteOff(channel: 0, note: 72), .controlChange(channel: 1, .allSoundOff, value7: 0))
    watched.render(48000)
    #expect(rack.activeVoiceCount == 0)
    #expect(rack.collect())
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }

  @Test("says why it cannot be loaded")
  func refusal() {
    let expected = InstrumentError.notLoaded(instrument: "square", reason: "the rate is too low")
    #expect(throws: expected) {
      try RackNode(RackConfiguration(assignments: [InstrumentAssignment(Square(amplitude: 1))]), sampleRate: 4000)
    }
  }
}
