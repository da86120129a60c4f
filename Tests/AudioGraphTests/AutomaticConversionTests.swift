import AudioGraph
import Testing

@Suite("Automatic conversion at a mixer's inputs")
struct AutomaticConversionTests {
  private let mixer = MixerNode(inputBusCount: 3)
  private let output: OutputNode
  private let engine = AudioEngine(sampleRate: 48000)
  private let native = SineSource(name: "native", format: .mono(48000))
  private let foreign = SineSource(name: "foreign", format: .stereo(44100))

  // native (mono 48000) ──┐
  // foreign (stereo 44100) ┴► mixer ─► output
  init() throws {
    output = try OutputNode(channelCount: 2)
    try engine.edit { [native, foreign, mixer, output] graph in
      for node in [native.node, foreign.node, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(native.node, to: mixer)
      try graph.connect(foreign.node, to: mixer, toBus: 1)
      try graph.connect(mixer, to: output)
    }
  }

  @Test("a source of another rate is heard at its pitch")
  func rate() throws {
    mixer.inputs[0].isEnabled.value = 0
    let left = engine.render(12_000)[0]
    // 1 kHz is 48 frames; so late is the conversion from 44.1 kHz: 90 frames of lookahead, of the input.
    let late = (Double(90) * 48000 / 44100).rounded(.up)
    let error = (4000..<12_000).map { abs(left[$0] - SineSource.value(at: (Double($0) - late) / 48000)) }.max() ?? 1
    #expect(error < 3e-5)
  }

  @Test("four channels become two, with the surrounds at -3 dB")
  func quad() throws {
    let quad = ConstantSource(1, format: AudioFormat(sampleRate: 48000, channelCount: 4))
    let alone = try AudioEngine.chain(quad.node, MixerNode(inputBusCount: 1), output: try OutputNode(channelCount: 2))
    let part = Float(0.5).squareRoot()
    #expect(alone.render(64).map { $0[63] } == [1 + 3 * part, 2 + 4 * part])
  }

  @Test("the converter is in the plan's description, and lives as long as the bus it stands before")
  func description() throws {
    func implicit() throws -> [any AudioNode] {
      try engine.graph.planDescription(sampleRate: 48000).steps.filter(\.isImplicit).map(\.node)
    }
    let before = try implicit()
    try engine.edit { graph in try graph.attach(EqualizerNode()) }
    let after = try implicit()
    #expect(before.count == 1 && after.count == 1 && before[0] === after[0])
    try engine.edit { [mixer, foreign] graph in
      try graph.disconnect(input: mixer, bus: 1)
      try graph.connect(foreign.node, to: mixer, toBus: 1)
    }
    #expect(try implicit()[0] === before[0])
    try engine.edit { [mixer] graph in try graph.disconnect(input: mixer, bus: 1) }
    #expect(try implicit().isEmpty)
  }

  @Test("an edit beside it does not disturb a bit of it")
  func undisturbed() throws {
    let reference = try Self()
    let other = SineSource(name: "other", format: .mono(96000))
    mixer.inputs[2].gain.value = -120
    var samples = engine.render(1000)
    try engine.edit { [mixer] graph in
      try graph.attach(other.node)
      try graph.connect(other.node, to: mixer, toBus: 2)
    }
    for channel in 0..<2 { samples[channel] += [] }
    let more = engine.render(3000)
    #expect(samples[0] + more[0] == reference.engine.render(4000)[0])
  }

  @Test("a mixer may run at a rate of its own")
  func ownRate() throws {
    let fast = MixerNode(name: "fast", inputBusCount: 1, sampleRate: 96000)
    let slow = ConstantSource(1, format: .mono(22050))
    let engine = try AudioEngine.chain(
      slow.node, fast, MixerNode(inputBusCount: 1), output: try OutputNode(channelCount: 2))
    let formats = try engine.graph.planDescription(sampleRate: 48000).steps
      .map { "\($0.name)\($0.isImplicit ? "*" : ""): \($0.outputs[0].format)" }
    #expect(
      formats == [
        "constant: 22050 Hz mono", "converter*: 96000 Hz mono", "fast: 96000 Hz stereo", "converter*: 48000 Hz stereo",
        "mixer: 48000 Hz stereo", "output: 48000 Hz stereo",
      ])
    let frame = engine.render(4096).map { $0[4095] }
    #expect(frame.allSatisfy { abs($0 - Float(0.5).squareRoot()) < 1e-4 })
  }
}
