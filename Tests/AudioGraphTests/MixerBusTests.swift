import AudioGraph
import Testing

@Suite("Mixer buses")
struct MixerBusTests {
  private let mixer = MixerNode(inputBusCount: 1)
  private let one = ConstantSource(1, name: "one")
  private let ten = ConstantSource(10, name: "ten")
  private let engine: AudioEngine

  // one ─► mixer ─► output
  init() throws { engine = try .chain(one.node, mixer, output: try OutputNode(channelCount: 2)) }

  private func settled() -> [Float] { engine.render(2048).map { $0[2047] } }

  @Test("an input is added while the others play, and has a strip of its own")
  func add() throws {
    _ = settled()
    let bus = mixer.addInput()
    #expect(bus == 1)
    mixer.inputs[bus].gain.value = -20
    try engine.edit(transition: .exact) { [mixer, ten] graph in
      try graph.attach(ten.node)
      try graph.connect(ten.node, to: mixer, toBus: bus)
    }
    #expect(engine.render(1)[0] == [2])
  }

  @Test("in the middle of its ramp a strip does not notice that others come and go")
  func undisturbed() throws {
    let reference = try Self()
    for (mixer, isEdited) in [(mixer, true), (reference.mixer, false)] {
      let engine = isEdited ? engine : reference.engine
      _ = engine.render(64)
      mixer.inputs[0].gain.value = -6
      mixer.outputGain.value = -3
    }
    var samples = engine.render(128)[0]
    for _ in 0..<3 {
      mixer.addInput()
      try engine.edit { _ in }
      samples += engine.render(64)[0]
      try mixer.removeInput()
      try engine.edit { _ in }
      samples += engine.render(64)[0]
    }
    #expect(samples == reference.engine.render(512)[0])
  }

  @Test("an input in use is not removed, nor one that does not exist")
  func refused() throws {
    #expect(throws: GraphError.busInUse(input: "mixer input bus 0")) { try mixer.removeInput() }
    #expect(
      "\(GraphError.busInUse(input: "mixer input bus 0"))"
        == "removing mixer input bus 0: it is connected; disconnect it first")
    try engine.edit { [mixer] graph in try graph.disconnect(input: mixer) }
    try mixer.removeInput()
    #expect(throws: GraphError.noBusLeft(node: "mixer")) { try mixer.removeInput() }
    #expect("\(GraphError.noBusLeft(node: "mixer"))" == "removing an input bus of mixer: it has none left")
    try engine.edit { _ in }
    #expect(settled() == [0, 0])
  }

  @Test("a bus that goes while an edit connects it is an error of that edit")
  func vanishing() throws {
    let bus = mixer.addInput()
    #expect(throws: GraphError.busGone(bus: "mixer input bus 1", count: 1)) {
      try engine.edit { [mixer, ten] graph in
        try graph.attach(ten.node)
        try graph.connect(ten.node, to: mixer, toBus: bus)
        try mixer.removeInput()
      }
    }
    #expect(
      "\(GraphError.busGone(bus: "mixer input bus 1", count: 1))"
        == "preparing mixer input bus 1: the bus is gone, the node has 1 now; disconnect it")
    #expect(settled() == [1, 2])
  }

  @Test("an input that begins to sound has its gain at once, one that sounds gets there in a ramp")
  func onset() throws {
    let sine = SineSource(format: .mono(48000), silentUntil: 640)
    let mixer = MixerNode(inputBusCount: 1)
    let late = try AudioEngine.chain(sine.node, mixer, output: try OutputNode(channelCount: 2))
    _ = late.render(64)
    mixer.inputs[0].pan.value = -1
    let left = late.render(1216)[0]
    #expect((640..<1280).allSatisfy { abs(left[$0 - 64] - SineSource.value(at: Double($0) / 48000)) < 1e-6 })
  }
}
