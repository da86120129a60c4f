import AudioGraph
import Testing

@Suite("Mixer")
struct MixerTests {
  let mixer = MixerNode(inputBusCount: 3)

  /// Renders past every ramp (20 ms are 960 frames at 48 kHz) and gives the last frame, left and right.
  private func settled(_ engine: AudioEngine) -> [Float] {
    engine.render(2048).map { $0[2047] }
  }

  // one (1, 2) ──► mixer ─► output
  // ten (10, 11) ─►
  private func engine(_ sources: SourceNode...) throws -> AudioEngine {
    let engine = AudioEngine(sampleRate: 48000)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { [mixer] graph in
      try graph.attach(mixer)
      try graph.attach(output)
      try graph.connect(mixer, to: output)
      for (bus, source) in sources.enumerated() {
        try graph.attach(source)
        try graph.connect(source, to: mixer, toBus: bus)
      }
    }
    return engine
  }

  @Test("inputs at unity are added")
  func sum() throws {
    let (one, ten) = (ConstantSource(1), ConstantSource(10))
    #expect(settled(try engine(one.node, ten.node)) == [11, 13])
  }

  @Test("a single input at unity passes bit for bit, from the first frame on")
  func transparent() throws {
    let source = CountingSource()
    #expect(try engine(source.node).render(100)[0] == (0..<100).map(Float.init))
  }

  @Test("gain is in decibels, of each input and of the whole")
  func gain() throws {
    let (one, ten) = (ConstantSource(1), ConstantSource(10))
    let engine = try engine(one.node, ten.node)
    mixer.inputs[1].gain.value = -20
    #expect(settled(engine) == [2, 3.1])
    mixer.outputGain.value = 20
    #expect(settled(engine) == [20, 31])
  }

  @Test("gain is clamped to its range, and what is no number is ignored")
  func clamped() {
    mixer.outputGain.value = 1000
    #expect(mixer.outputGain.value == 24)
    mixer.outputGain.value = .nan
    #expect(mixer.outputGain.value == 24)
  }

  @Test(
    "a stereo input is balanced: the other side fades",
    arguments: [(-1, [1, 0]), (0.5, [0.5, 2]), (1, [0, 2])] as [(Float, [Float])])
  func stereoPan(pan: Float, expected: [Float]) throws {
    let one = ConstantSource(1)
    let engine = try engine(one.node)
    mixer.inputs[0].pan.value = pan
    #expect(settled(engine) == expected)
  }

  @Test("a mono input is panned at constant power", arguments: [-1, -0.5, 0, 0.7, 1] as [Float])
  func monoPan(pan: Float) throws {
    let source = ConstantSource(1, format: .mono(48000))
    let engine = try engine(source.node)
    mixer.inputs[0].pan.value = pan
    let frame = settled(engine)
    #expect(abs(frame[0] * frame[0] + frame[1] * frame[1] - 1) < 1e-6)
    #expect((frame[0] > frame[1]) == (pan < 0))
  }

  @Test("mute, off and solo")
  func switches() throws {
    let (one, ten) = (ConstantSource(1), ConstantSource(10))
    let engine = try engine(one.node, ten.node)
    mixer.inputs[0].isMuted.value = 1
    #expect(settled(engine) == [10, 11])
    mixer.inputs[1].isEnabled.value = 0
    #expect(settled(engine) == [0, 0])
    mixer.inputs[0].isMuted.value = 0
    mixer.inputs[1].isEnabled.value = 1
    mixer.inputs[0].isSoloed.value = 1
    #expect(settled(engine) == [1, 2])
    mixer.inputs[1].isSoloed.value = 1
    #expect(settled(engine) == [11, 13])
  }

  @Test("a change is a straight line of 20 ms, 15 quanta at 48 kHz, and then exact")
  func ramp() throws {
    let one = ConstantSource(1)
    let engine = try engine(one.node)
    _ = engine.render(64)
    mixer.inputs[0].isMuted.value = 1
    let left = engine.render(1024)[0]
    let steps = zip(left, left.dropFirst()).map { $0 - $1 }
    #expect(steps.prefix(958).allSatisfy { abs($0 - 1 / 960) < 1e-6 })
    #expect(abs(left[959]) < 1e-6)
    #expect(left[960...].allSatisfy { $0 == 0 })
  }

  @Test("a silent input adds nothing and an unconnected mixer is silent")
  func silence() throws {
    let one = ConstantSource(1)
    #expect(settled(try engine(silentSource, one.node)) == [1, 2])
    #expect(settled(try engine()) == [0, 0])
  }

  @Test("meters tell peak, RMS and clipped samples of each bus after gain")
  func meters() throws {
    let one = ConstantSource(1)
    let engine = try engine(one.node)
    _ = engine.render(64)
    let meter = mixer.inputs[0].meter
    #expect(meter.takePeak(0) == 1 && meter.takePeak(1) == 2)
    #expect(meter.takePeak(0) == 0)
    #expect(meter.clipCount(0) == 0 && meter.clipCount(1) == 64)
    #expect(mixer.outputMeter.clipCount(1) == 64)
    _ = engine.render(48000 * 3)
    #expect(abs(meter.rms(0) - 1) < 1e-3)
  }

  @Test("a mixer keeps its gains through an edit")
  func survivesEdits() throws {
    let (one, ten) = (ConstantSource(1), ConstantSource(10))
    let engine = try engine(one.node)
    mixer.inputs[0].gain.value = -20
    _ = settled(engine)
    try engine.edit(transition: .exact) { [mixer] graph in
      try graph.attach(ten.node)
      try graph.connect(ten.node, to: mixer, toBus: 1)
    }
    #expect(engine.render(64)[0] == Array(repeating: Float(0.1) + 10, count: 64))
  }
}
