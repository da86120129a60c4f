import AudioGraph
import Testing

@Suite("A refused edit names what is wrong and changes nothing")
struct GraphErrorTests {
  let source = ConstantSource(1, name: "source")
  let mixer = MixerNode(inputBusCount: 2)
  let output: OutputNode
  let engine = AudioEngine(sampleRate: 48000)

  // source ─► mixer ─► output
  init() throws {
    output = try OutputNode(channelCount: 2)
    try engine.edit { [source, mixer, output] graph in
      for node in [source.node, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(source.node, to: mixer)
      try graph.connect(mixer, to: output)
    }
  }

  private func expect(_ error: GraphError, _ line: String, _ change: (inout Graph) throws -> Void) {
    let before = engine.graph.connections
    #expect(throws: error) { try engine.edit(change) }
    #expect("\(error)" == line)
    #expect(engine.graph.connections == before)
    #expect(engine.render(1)[0] == [1])
  }

  @Test func attachingTwice() {
    expect(.alreadyAttached(node: "mixer"), "attaching mixer: it is attached already; attach a node once") {
      graph in try graph.attach(mixer)
    }
  }

  @Test func connectingWhatIsNotAttached() {
    let stray = ConstantSource(2, name: "stray")
    expect(
      .notAttached(node: "stray"), "using stray: it is not attached to this graph; attach it first"
    ) { graph in try graph.connect(stray.node, to: mixer, toBus: 1) }
  }

  @Test func busThatDoesNotExist() {
    expect(
      .noSuchBus(node: "mixer", scope: .input, bus: 2, count: 2),
      "connecting mixer: input bus 2 does not exist; it has 2, numbered from 0"
    ) { graph in try graph.connect(source.node, to: mixer, toBus: 2) }
  }

  @Test func negativeBus() {
    expect(
      .noSuchBus(node: "source", scope: .output, bus: -1, count: 1),
      "connecting source: output bus -1 does not exist; it has 1, numbered from 0"
    ) { graph in try graph.connect(source.node, to: mixer, fromBus: -1, toBus: 1) }
  }

  @Test func inputFedTwice() {
    expect(
      .inputTaken(input: "mixer input bus 0", by: "source output bus 0"),
      "connecting mixer input bus 0: source output bus 0 feeds it already; disconnect it first, or use a mixer"
    ) { graph in try graph.connect(source.node, to: mixer, toBus: 0) }
  }

  @Test func disconnectingAFreeInput() {
    expect(
      .notConnected(input: "mixer input bus 1"),
      "disconnecting mixer input bus 1: nothing is connected to it"
    ) { graph in try graph.disconnect(input: mixer, bus: 1) }
  }

  @Test func cycle() {
    let second = MixerNode(name: "second", inputBusCount: 1)
    expect(
      .cycle(path: ["mixer", "second", "mixer"]),
      "connecting mixer → second → mixer: the path leads back to its start; feedback needs a delay between"
    ) { graph in
      try graph.attach(second)
      try graph.connect(second, to: mixer, toBus: 1)
      try graph.connect(mixer, to: second)
    }
  }

  @Test func ratesThatDiffer() {
    let slow = ConstantSource(1, name: "slow", format: .stereo(44100))
    expect(
      .formatMismatch(
        source: "slow output bus 0", destination: "mixer input bus 1",
        reason: "it runs at 44100.0 Hz, the mixer at 48000.0 Hz", remedy: "put a converter between them"),
      "connecting slow output bus 0 to mixer input bus 1: it runs at 44100.0 Hz, the mixer at 48000.0 Hz; "
        + "put a converter between them"
    ) { graph in
      try graph.attach(slow.node)
      try graph.connect(slow.node, to: mixer, toBus: 1)
    }
  }

  @Test func channelsThatDoNotFit() {
    let quad = ConstantSource(1, name: "quad", format: AudioFormat(sampleRate: 48000, channelCount: 4))
    expect(
      .formatMismatch(
        source: "quad output bus 0", destination: "mixer input bus 1",
        reason: "the mixer takes mono or stereo, not 4 channels", remedy: "put a converter between them"),
      "connecting quad output bus 0 to mixer input bus 1: the mixer takes mono or stereo, not 4 channels; "
        + "put a converter between them"
    ) { graph in
      try graph.attach(quad.node)
      try graph.connect(quad.node, to: mixer, toBus: 1)
    }
  }

  @Test func twoOutputs() throws {
    let other = try OutputNode(channelCount: 2)
    expect(
      .outputNodes(count: 2),
      "preparing the graph: it has 2 output nodes; attach exactly one, it starts and stops the flow"
    ) { graph in try graph.attach(other) }
  }

  @Test func theOutputFeedsNothing() {
    expect(
      .noSuchBus(node: "output", scope: .output, bus: 0, count: 0),
      "connecting output: output bus 0 does not exist; it has 0, numbered from 0"
    ) { graph in try graph.connect(output, to: mixer, toBus: 1) }
  }
}
