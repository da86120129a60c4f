import AudioGraph
import Testing

@Suite("The description of a plan")
struct PlanDescriptionTests {
  // one ──► mixer ──┬─► output
  //           ▲     └─► delay ─┐
  //           └────────────────┘
  @Test("tells order, buses, formats, buffers, and when a delay takes its input")
  func loop() throws {
    let one = ConstantSource(1, name: "one", format: .mono(48000))
    let mixer = MixerNode(inputBusCount: 3)
    let delay = try DelayNode(delay: 1)
    let output = try OutputNode(channelCount: 4)
    var graph = Graph()
    for node in [one.node, mixer, delay, output] as [any AudioNode] { try graph.attach(node) }
    try graph.connect(one.node, to: mixer)
    try graph.connect(mixer, to: delay)
    try graph.connect(delay, to: mixer, toBus: 1)
    try graph.connect(mixer, to: output)

    let plan = try graph.planDescription(sampleRate: 48000)
    #expect(plan.steps.map(\.name) == ["one", "delay", "mixer", "output"])
    #expect(plan.steps.map(\.takesInputAfter) == [nil, 2, nil, nil])
    #expect(plan.steps[2].inputs.map { $0.source.map { "\($0)" } } == ["one output bus 0", "delay output bus 0", nil])
    #expect(plan.steps[2].inputs.map(\.format) == [.mono(48000), .stereo(48000), nil])
    #expect(plan.steps[2].inputs.map(\.buffer) == [0, 1, nil])
    #expect(plan.steps[2].outputs.map(\.buffer) == [2])
    #expect(plan.steps[1].inputs.map(\.buffer) == [2])
    #expect(plan.steps[3].outputs.map(\.format.channelCount) == [4])
    #expect(plan.bufferCount == 4)
  }

  @Test("of a chain of any length names two buffers, the output's beside them")
  func chain() throws {
    let source = ConstantSource(1, format: .stereo(48000))
    var graph = Graph()
    try graph.attach(source.node)
    var last: any AudioNode = source.node
    for _ in 0..<5000 {
      let node = EqualizerNode()
      try graph.attach(node)
      try graph.connect(last, to: node)
      last = node
    }
    let output = try OutputNode(channelCount: 1, channelMap: ChannelMap([0]))
    try graph.attach(output)
    try graph.connect(last, to: output)
    #expect(try graph.planDescription(sampleRate: 48000).bufferCount == 3)
  }

  @Test("throws what an edit would")
  func invalid() {
    #expect(throws: GraphError.outputNodes(count: 2)) {
      var graph = Graph()
      for _ in 0..<2 { try graph.attach(OutputNode(channelCount: 2)) }
      _ = try graph.planDescription(sampleRate: 48000)
    }
  }
}
