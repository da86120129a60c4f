import AudioGraph
import Testing

@Suite("Mixer sends")
struct MixerSendTests {
  let mixer = MixerNode(inputBusCount: 2, sends: ["reverb": 0, "chorus": 0])

  // one (1, 2) ──► mixer ─┬► reverb ─────────► both ─► output
  // ten (10, 11) ─►       └► chorus, -60 dB ─►
  private func settled() throws -> [Float] {
    let (one, ten) = (ConstantSource(1), ConstantSource(10))
    let engine = AudioEngine(sampleRate: 48000)
    let output = try OutputNode(channelCount: 2)
    let both = MixerNode(name: "both", inputBusCount: 2)
    // The second effect a thousandth as loud, so that one number tells of both.
    both.inputs[1].gain.value = -60
    try engine.edit { graph in
      for node in [one.node, ten.node, mixer, both, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(one.node, to: mixer, toBus: 0)
      try graph.connect(ten.node, to: mixer, toBus: 1)
      try graph.connect(mixer, to: both, fromBus: 1, toBus: 0)
      try graph.connect(mixer, to: both, fromBus: 2, toBus: 1)
      try graph.connect(both, to: output)
    }
    // The sources live until here.
    return withExtendedLifetime((one, ten)) { engine.render(2048).map { $0[2047] } }
  }

  @Test("nothing is sent at first")
  func initially() throws { #expect(try settled() == [0, 0]) }

  @Test("each effect gets its share of each input")
  func shares() throws {
    mixer.inputs[0].sends[0].value = 1
    mixer.inputs[1].sends[0].value = 0.5
    mixer.inputs[1].sends[1].value = 1
    let samples = try settled()
    #expect(abs(samples[0] - (1 + 5 + 0.010)) < 1e-5)
    #expect(abs(samples[1] - (2 + 5.5 + 0.011)) < 1e-5)
  }

  @Test("an effect that is switched off gets nothing, whatever its shares; the other one does")
  func disabled() throws {
    mixer.inputs[0].sends[0].value = 1
    mixer.inputs[0].sends[1].value = 1
    mixer.sends[0].isEnabled.value = 0
    let samples = try settled()
    #expect(samples[0] > 0 && abs(samples[0] - 0.001) < 1e-6)
  }

  @Test("what the mixer would convert is sent as well: another rate, more than two channels")
  func otherFormats() throws {
    let engine = AudioEngine(sampleRate: 48000)
    let slow = ConstantSource(1, format: .mono(44100))
    let wide = ConstantSource(10, format: AudioFormat(sampleRate: 48000, channelCount: 4))
    let output = try OutputNode(channelCount: 2)
    for input in 0..<2 { mixer.inputs[input].sends[0].value = 1 }
    try engine.edit { graph in
      for node in [slow.node, wide.node, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(slow.node, to: mixer, toBus: 0)
      try graph.connect(wide.node, to: mixer, toBus: 1)
      try graph.connect(mixer, to: output, fromBus: 1)
    }
    let settled = engine.render(4096).map { $0[4095] }
    // Mono is panned at constant power, as in the mixer; surrounds join the sides at -3 dB.
    let part = Float(0.5).squareRoot()
    #expect(abs(settled[0] - (part + 10 + 12 * part)) < 1e-3)
    #expect(abs(settled[1] - (part + 11 + 13 * part)) < 1e-3)
  }

  @Test("what is on one side in the mixer is so in the effects")
  func afterPan() throws {
    for input in 0..<2 { mixer.inputs[input].sends[0].value = 1 }
    mixer.inputs[0].pan.value = -1
    mixer.inputs[1].pan.value = 0.5
    let samples = try settled()
    #expect(abs(samples[0] - (1 + 5)) < 1e-5)
    #expect(abs(samples[1] - (0 + 11)) < 1e-5)
  }

  @Test("what is turned down, muted, off or not soloed in the mixer is so in the effects")
  func afterFader() throws {
    for input in 0..<2 { mixer.inputs[input].sends[0].value = 1 }
    mixer.inputs[1].gain.value = -20
    #expect(abs(try settled()[0] - 2) < 1e-5)
    mixer.inputs[1].isMuted.value = 1
    #expect(try settled()[0] == 1)
    mixer.inputs[1].isMuted.value = 0
    mixer.inputs[1].isEnabled.value = 0
    #expect(try settled()[0] == 1)
    mixer.inputs[1].isEnabled.value = 1
    mixer.inputs[1].isSoloed.value = 1
    #expect(abs(try settled()[0] - 1) < 1e-5)
  }

  @Test("an input that is added later sends as well, and the mix is the same with and without sends")
  func addedInput() throws {
    func mix(_ mixer: MixerNode) throws -> [[Float]] {
      let ten = ConstantSource(10)
      for input in mixer.inputs { input.pan.value = 0.25 }
      return try withExtendedLifetime(ten) {
        try AudioEngine.chain(ten.node, mixer, output: try OutputNode(channelCount: 2)).render(256)
      }
    }
    mixer.addInput()
    #expect(mixer.inputs[2].sends.map(\.name) == ["input 2 reverb send", "input 2 chorus send"])
    for input in mixer.inputs { input.sends[0].value = 0.7 }
    #expect(try mix(mixer) == mix(MixerNode(inputBusCount: 3)))
  }

  @Test("a share that is set in silence counts when there is sound again, at once")
  func setInSilence() throws {
    let bursts = SourceNode(name: "bursts", format: .stereo(48000)) { request in
      guard !(4096..<16384).contains(request.sampleTime) else { return request.buffers.silence() }
      for channel in 0..<2 { request.buffers[channel].update(repeating: 1, count: request.frameCount) }
    }
    let engine = AudioEngine(sampleRate: 48000)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      for node in [bursts, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(bursts, to: mixer, toBus: 0)
      try graph.connect(mixer, to: output, fromBus: 1)
    }
    // So long that the ramps of the sends have arrived and nothing reads them again.
    #expect(engine.render(8192)[0].allSatisfy { $0 == 0 })
    mixer.inputs[0].sends[0].value = 0.5
    #expect(engine.render(8192)[0].allSatisfy { $0 == 0 })
    #expect(engine.render(2048)[0].allSatisfy { $0 == 0.5 })
  }
}
