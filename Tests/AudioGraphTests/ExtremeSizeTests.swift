import AudioGraph
import Testing

@Suite("Sizes beyond all measure")
struct ExtremeSizeTests {
  @Test("a sample buffer clamps them, and what is asked of it")
  func sampleBuffer() {
    let none = SampleBuffer(channelCount: -1, frameCapacity: .min)
    #expect(none.channelCount == 0 && none.frameCapacity == 0)
    #expect(none.slice(frameCount: -1).frameCount == 0)
    let one = SampleBuffer(channelCount: 1, frameCapacity: 10)
    #expect(one.slice(frameCount: -1).frameCount == 0 && one.slice(frameCount: .max).frameCount == 10)
    #expect(one.channel(0, frameCount: -1).isEmpty && one.channel(0, frameCount: .max).count == 10)
    // A machine may have no memory for it.
    let all = SampleBuffer(channelCount: .max, frameCapacity: .max)
    #expect(all.channelCount == 1024 && [0, 1 << 21].contains(all.frameCapacity))
  }

  @Test("as many frames as no memory holds are refused", arguments: [-1, 1 << 29, .max])
  func renderedByHand(frameCount: Int) throws {
    let engine = try AudioEngine.chain(silentSource, output: try OutputNode(channelCount: 2))
    #expect(throws: EngineError.frameCount(frameCount)) { try engine.render(frameCount: frameCount) }
  }

  @Test("lengths at rates that are none", arguments: [.infinity, -.infinity, .nan, 0, 1e300])
  func lengths(rate: Double) throws {
    #expect((1...(1 << 20)).contains(levelRampBlocks(sampleRate: rate)))
    #expect((64...(1 << 30)).contains(try DelayNode(delay: 60).frameCount(sampleRate: rate)))
    #expect((-64...(1 << 20)).contains(PitchShiftNode.latency(sampleRate: rate)))
  }

  @Test("a meter clamps its channels", arguments: [(-1, 0), (Int.max, 1024)])
  func meter(asked: Int, given: Int) { #expect(Meter(channelCount: asked).channelCount == given) }

  @Test("a channel that is not there cannot be read", .timeLimit(.minutes(2)))
  func channelOutOfBounds() async {
    await #expect(processExitsWith: .failure) { _ = Meter(channelCount: 2).takePeak(40) }
    await #expect(processExitsWith: .failure) { _ = Meter(channelCount: 2).rms(-1) }
    await #expect(processExitsWith: .failure) {
      _ = SampleBuffer(channelCount: 2, frameCapacity: 64).channel(2, frameCount: 64)
    }
  }

  @Test("a tap refuses a format for which it has no memory")
  func tap() throws {
    let many = ConstantSource(1, name: "many", format: AudioFormat(sampleRate: 48000, channelCount: 64))
    let engine = AudioEngine(sampleRate: 48000)
    #expect(
      throws: GraphError.formatMismatch(
        source: "many output bus 0", destination: "tap input bus 0",
        reason: "67108864 frames of 48000 Hz 64 channels do not fit a tap's memory",
        remedy: "make it with less capacity")
    ) {
      try engine.edit { graph in
        try graph.attach(try OutputNode(channelCount: 2))
        try graph.attach(many.node)
        try graph.tap(many.node, with: TapNode(capacity: .max))
      }
    }
  }

  @Test("a converter refuses rates that are too far from the output unit's")
  func converter() throws {
    let source = ConstantSource(1, name: "fast", format: AudioFormat(sampleRate: 500_000, channelCount: 256))
    let engine = AudioEngine(sampleRate: 1)
    #expect(
      throws: GraphError.formatMismatch(
        source: "fast output bus 0", destination: "converter input bus 0",
        reason: "no converter makes 1000000 Hz 256 channels beside an output unit of 1 Hz",
        remedy: "take a lower rate, or fewer channels")
    ) {
      try engine.edit { graph in
        let (converter, sink) = (ConverterNode(sampleRate: 1_000_000), SinkNode { _ in })
        for node in [source.node, converter, sink] as [any AudioNode] { try graph.attach(node) }
        try graph.attach(try OutputNode(channelCount: 2))
        try graph.connect(source.node, to: converter)
        try graph.connect(converter, to: sink)
      }
    }
  }
}
