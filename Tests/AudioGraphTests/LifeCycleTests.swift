import Testing

@testable import AudioGraph

@Suite("The life cycle of an engine")
struct LifeCycleTests {
  private let unit = TestOutput()
  private let source = CountingSource()

  /// counting ─► output
  private func engine() throws -> AudioEngine {
    let engine = AudioEngine(output: unit)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { [source] graph in
      try graph.attach(source.node)
      try graph.attach(output)
      try graph.connect(source.node, to: output)
    }
    return engine
  }

  @Test("a started engine is asked by its output unit, a stopped one by nobody")
  func startAndStop() throws {
    let engine = try engine()
    #expect(engine.state == .stopped && !engine.isRunning)
    try engine.start()
    #expect(engine.state == .running && engine.isRunning)
    #expect(unit.render(3) == [0, 1, 2])
    try engine.stop()
    #expect(engine.state == .stopped && !engine.isRunning)
    #expect(unit.render(3) == [])
  }

  @Test("after a pause the samples go on where they were, after a stop they begin anew", arguments: [1, 64, 100])
  func pause(frameCount: Int) throws {
    let engine = try engine()
    try engine.start()
    _ = unit.render(frameCount)
    try engine.pause()
    #expect(engine.state == .paused && unit.render(1) == [])
    try engine.start()
    #expect(unit.render(2) == [Float(frameCount), Float(frameCount + 1)])
    try engine.stop()
    try engine.start()
    #expect(unit.render(2) == [0, 1])
  }

  @Test("each step that is not to be had from a state is an error, and changes nothing")
  func wrongOrder() throws {
    let engine = try engine()
    #expect(throws: EngineError.wrongState(operation: "pausing", state: .stopped)) { try engine.pause() }
    #expect(throws: EngineError.wrongState(operation: "stopping", state: .stopped)) { try engine.stop() }
    try engine.start()
    #expect(throws: EngineError.wrongState(operation: "starting", state: .running)) { try engine.start() }
    #expect(engine.state == .running && unit.render(2) == [0, 1])
    try engine.pause()
    #expect(throws: EngineError.wrongState(operation: "pausing", state: .paused)) { try engine.pause() }
    #expect(engine.state == .paused)
    try engine.stop()
    #expect(engine.state == .stopped)
  }

  @Test("an engine without an output unit cannot be started")
  func noOutputUnit() {
    #expect(throws: EngineError.noOutputUnit) { try AudioEngine(sampleRate: 48000).start() }
  }

  @Test("while the output unit is in charge rendering by hand is refused, before and after it works")
  func inCharge() throws {
    let engine = try engine()
    #expect(try engine.render(frameCount: 1)[0] == [0])
    try engine.start()
    let refusal = EngineError.pulled(operation: "rendering", by: .outputUnit)
    #expect(throws: refusal) { try engine.render(frameCount: 1) }
    try engine.pause()
    #expect(throws: refusal) { try engine.render(frameCount: 1) }
    try engine.stop()
    #expect(try engine.render(frameCount: 2)[0] == [0, 1])
  }

  @Test("an output unit that cannot start leaves the engine as it was")
  func failedStart() throws {
    let engine = try engine()
    unit.refuseStart()
    #expect(throws: TestOutput.Failure.self) { try engine.start() }
    #expect(engine.state == .stopped)
    #expect(try engine.render(frameCount: 2)[0] == [0, 1])
  }

  @Test("an output unit that fails on its way is told by stop, and the engine is stopped")
  func failure() throws {
    let engine = try engine()
    try engine.start()
    unit.fail()
    #expect(engine.state == .running && !engine.isRunning)
    #expect(throws: TestOutput.Failure.self) { try engine.stop() }
    #expect(engine.state == .stopped)
    try engine.start()
    #expect(unit.render(2) == [0, 1])
  }

  @Test("an engine that goes away stops its output unit")
  func deallocation() throws {
    do {
      let engine = try engine()
      try engine.start()
    }
    #expect(!unit.isRunning)
  }

  @Test("an output node with other channels than the output unit is refused, with both numbers")
  func channelCount() throws {
    let engine = AudioEngine(output: unit)
    let output = try OutputNode(channelCount: 4)
    #expect(throws: EngineError.channelCount(outputNode: 4, player: "test output", channels: 2)) {
      try engine.edit { graph in try graph.attach(output) }
    }
    #expect(engine.graph.nodes.isEmpty)
  }

  @Test("and such a refusal leaves the kernels that play as they are")
  func refusedKernels() throws {
    let engine = AudioEngine(output: unit)
    let slow = SourceNode(format: .stereo(48000)) { $0.buffers.silence() }
    let fast = SourceNode(format: .stereo(96000)) { $0.buffers.silence() }
    let (equalizer, mixer) = (EqualizerNode(), MixerNode(inputBusCount: 1))
    let (output, other) = (try OutputNode(channelCount: 2), try OutputNode(channelCount: 4))
    try engine.edit { graph in
      for node in [slow, equalizer, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(slow, to: equalizer)
      try graph.connect(equalizer, to: mixer)
      try graph.connect(mixer, to: output)
    }
    let formats = BusFormats(inputs: [.stereo(48000)], outputs: [.stereo(48000)], unitSampleRate: 48000)
    let playing = equalizer.kernel(for: formats)
    #expect(throws: EngineError.channelCount(outputNode: 4, player: "test output", channels: 2)) {
      try engine.edit { graph in
        try graph.replace(slow, with: fast)
        try graph.replace(output, with: other)
      }
    }
    #expect(equalizer.kernel(for: formats) === playing)
  }

  @Test(
    "an error is one line that says what was done, what is wrong and what to do",
    arguments: [
      (
        EngineError.wrongState(operation: "pausing", state: .stopped),
        "pausing the engine: it is stopped; start it first"
      ),
      (
        .noOutputUnit,
        "starting the engine: it has no output unit; give it one when it is made, or render by hand"
      ),
      (
        .pulled(operation: "rendering", by: .outputUnit),
        "rendering the engine: its output unit is in charge; stop the engine first"
      ),
      (
        .channelCount(outputNode: 2, player: "hw:1", channels: 8),
        "preparing the graph: its output node has 2 channels and hw:1 8; make the output node with 8"
      ),
    ])
  func descriptions(error: EngineError, text: String) {
    #expect(error.description == text)
  }
}
