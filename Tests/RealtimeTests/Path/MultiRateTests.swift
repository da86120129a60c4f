import AudioGraph
import SynthRealtime
import Testing

/// A source and a mixer of other rates, with a loop through a delay:
///
///     source (44100 Hz) ─► mixer (96000 Hz) ─► mixer ─┬─► output
///                                               ▲     └─► delay ─┐
///                                               └────────────────┘
@Suite("Rates that differ and a loop render without a violation")
struct MultiRateTests {
  private let watched = WatchedEngine()
  private let source = TestNodes.source(.mono(44100))
  private let fast = MixerNode(name: "fast", inputBusCount: 1, sampleRate: 96000)
  private let mixer = MixerNode(inputBusCount: 2)

  init() throws {
    let delay = try DelayNode(delay: 0.005)
    let output = try OutputNode(channelCount: 2)
    mixer.inputs[1].gain.value = -6
    try watched.engine.edit { [source, fast, mixer] graph in
      for node in [source, fast, mixer, delay, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(source, to: fast)
      try graph.connect(fast, to: mixer)
      try graph.connect(mixer, to: delay)
      try graph.connect(delay, to: mixer, toBus: 1)
      try graph.connect(mixer, to: output)
    }
  }

  @Test("in slices of any size", arguments: [1, 64, 441])
  func slices(sliceSize: Int) {
    watched.render(8192, sliceSize: sliceSize)
    #expect(watched.peak(frameCount: 1) > 0)
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }

  @Test("when the source falls silent, and when it comes back")
  func silence() throws {
    watched.render(4096)
    for isConnected in [false, true] {
      try watched.engine.edit { [source, fast] graph in
        if isConnected { try graph.connect(source, to: fast) } else { try graph.disconnect(input: fast) }
      }
      watched.render(48_000)
      // What goes round the loop falls for ever, but here nobody flushes denormal numbers.
      #expect((watched.peak() > 1e-9) == isConnected)
    }
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }

  @Test("while inputs of the mixer come and go")
  func buses() throws {
    for _ in 0..<8 {
      mixer.addInput()
      try watched.engine.edit { _ in }
      watched.render(256)
      try mixer.removeInput()
      try watched.engine.edit { _ in }
      watched.render(256)
    }
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }
}
