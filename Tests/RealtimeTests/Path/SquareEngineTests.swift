import AudioGraph
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

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
      RackConfiguration(assignments: [InstrumentAssignment(SquareWave(amplitude: 0.5))]), sampleRate: 48000)
    try place(rack)
    #expect(rack.preset(ofChannel: 3) == ChannelPreset(name: "Square", program: 0))
    play(rack, .programChange(channel: 0, program: 7), .noteOn(channel: 0, note: 69, velocity7: 100))
    watched.render(480)
    #expect(rack.activeVoiceCount == 1)
    #expect(rack.preset(ofChannel: 0) == ChannelPreset(name: "Square", program: 7))
    // The amplitude, the rack's gain, the square of volume 100 of 127; in the middle the mixer leaves stereo as it is.
    let expected = 0.5 * 0.2 * 0.5.squareRoot() * (100.0 / 127) * (100.0 / 127)
    #expect(abs(Double(watched.peak()) / expected - 1) < 0.01)
    play(rack, .controlChange(channel: 0, .volume, value7: 0))
    watched.render(640)
    #expect(watched.peak() == 0)
    play(rack, .noteOff(channel: 0, note: 69))
    // A quantum for the fade.
    watched.render(128)
    #expect(rack.activeVoiceCount == 0)
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }

  @Test("splits and layers with the sampler, and takes its place while notes sound, without a violation")
  func rackOfThree() throws {
    let sampler = SamplerConfiguration(soundFonts: [try TestFiles.soundFont])
    let rack = try RackNode(
      RackConfiguration(
        sampler: sampler,
        assignments: [InstrumentAssignment(SquareWave(amplitude: 0.5), channel: 0, keys: 60...127)]), sampleRate: 48000)
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
      RackConfiguration(sampler: sampler, assignments: [InstrumentAssignment(SquareWave(amplitude: 0.25))]))
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
      try RackNode(RackConfiguration(assignments: [InstrumentAssignment(SquareWave(amplitude: 1))]), sampleRate: 4000)
    }
  }
}
