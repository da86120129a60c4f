import AudioGraph
import Testing

@Suite("Delay")
struct DelayTests {
  // counting ─► delay ─► output
  @Test("what goes in comes out so many frames later, a quantum at least", arguments: [0, 64, 100, 4711])
  func plain(frames: Int) throws {
    let source = CountingSource(format: .stereo(48000))
    let delay = try DelayNode(delay: Double(frames) / 48000)
    let engine = try AudioEngine.chain(source.node, delay, output: try OutputNode(channelCount: 2))
    let late = max(frames, 64)
    #expect(delay.frameCount(sampleRate: 48000) == late)
    let expected = [Float](repeating: 0, count: late) + (0..<10_000 - late).map(Float.init)
    #expect(engine.render(10_000)[0] == expected)
  }

  //  one ──► mixer ──┬─► output
  //            ▲     └─► delay ─┐
  //            └────────────────┘
  @Test("it closes a loop", arguments: [1, 64, 100])
  func feedback(sliceSize: Int) throws {
    let one = ConstantSource(1, format: .stereo(48000))
    let mixer = MixerNode(inputBusCount: 2)
    let delay = try DelayNode(delay: 100 / 48000.0)
    let output = try OutputNode(channelCount: 2)
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      for node in [one.node, mixer, delay, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(one.node, to: mixer)
      try graph.connect(mixer, to: delay)
      try graph.connect(delay, to: mixer, toBus: 1)
      try graph.connect(mixer, to: output)
    }
    // Once around in 100 frames, and one more each time.
    let expected = (0..<1000).map { Float(1 + $0 / 100) }
    #expect(engine.render(1000, sliceSize: sliceSize)[0] == expected)
  }

  @Test("a loop without it names its path, also where a delay is beside it")
  func cycle() throws {
    let (first, second) = (MixerNode(name: "first", inputBusCount: 3), MixerNode(name: "second", inputBusCount: 3))
    let delay = try DelayNode(delay: 1)
    var graph = Graph()
    for node in [first, second, delay] as [any AudioNode] { try graph.attach(node) }
    try graph.connect(first, to: delay)
    try graph.connect(delay, to: first, toBus: 1)
    try graph.connect(delay, to: second)
    try graph.connect(first, to: second, toBus: 1)
    #expect(throws: GraphError.cycle(path: ["second", "first", "second"])) {
      try graph.connect(second, to: first, toBus: 2)
    }
    #expect(throws: GraphError.cycle(path: ["first", "first"])) { try graph.connect(first, to: first, toBus: 2) }
  }

  @Test("a delay may feed itself: nothing, for ever")
  func itself() throws {
    let delay = try DelayNode(delay: 0)
    let engine = try AudioEngine.chain(delay, output: try OutputNode(channelCount: 2))
    try engine.edit { graph in try graph.connect(delay, to: delay) }
    #expect(engine.render(1000)[0].allSatisfy { $0 == 0 })
  }

  // constant ─► mixer ─► delay ─► output
  @Test("silence passes through it, and so does sound that follows silence")
  func gaps() throws {
    let one = ConstantSource(1, format: .stereo(48000))
    let mixer = MixerNode(inputBusCount: 1)
    let engine = try AudioEngine.chain(
      one.node, mixer, try DelayNode(delay: 1000 / 48000.0), output: try OutputNode(channelCount: 2))
    _ = engine.render(64)
    var heard: [Float] = []
    for isOn in [true, false, true, false, true] {
      try engine.edit(transition: .exact) { graph in
        if graph.source(of: BusEnd(node: mixer, scope: .input, bus: 0)) != nil { try graph.disconnect(input: mixer) }
        if isOn { try graph.connect(one.node, to: mixer) }
      }
      heard += engine.render(6400)[0]
    }
    let played = (0..<5).flatMap { [Float](repeating: $0 % 2 == 0 ? 1 : 0, count: 6400) }
    #expect(Array(heard.dropFirst(1000)) == Array(played.dropLast(1000)))
  }

  @Test("its format is its own, and another is refused")
  func format() throws {
    let mono = ConstantSource(1, name: "mono", format: .mono(48000))
    #expect(
      throws: GraphError.formatMismatch(
        source: "mono output bus 0", destination: "delay input bus 0",
        reason: "the delay runs at 48000 Hz stereo, not at 48000 Hz mono",
        remedy: "make it with that format, or put a converter before it")
    ) {
      try AudioEngine.chain(mono.node, try DelayNode(delay: 1), output: try OutputNode(channelCount: 2))
    }
  }

  @Test("a delay whose memory nobody has is refused")
  func memory() throws {
    let format = AudioFormat(sampleRate: 1_000_000, channelCount: 1024)
    #expect(
      throws: GraphError.formatMismatch(
        source: "nothing", destination: "delay input bus 0",
        reason: "60.0 s of 1000000 Hz 1024 channels do not fit a delay's memory",
        remedy: "make it shorter, or with fewer channels")
    ) {
      try AudioEngine.chain(
        try DelayNode(delay: 60, format: format), ConverterNode(channels: .automatic(channelCount: 2)),
        output: try OutputNode(channelCount: 2))
    }
  }

  @Test("a delay out of range is refused", arguments: [-1, 61, .nan, .infinity])
  func range(seconds: Double) {
    let error = #expect(throws: DelayError.self) { try DelayNode(delay: seconds) }
    #expect(error?.description == "making a delay of \(seconds) s: out of range; choose 0.0 to 60.0 s")
  }
}
