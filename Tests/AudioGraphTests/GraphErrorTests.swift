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

  @Test("a node that another engine has, until it is detached there, or that engine is gone")
  func anotherEngine() throws {
    let shared = ConstantSource(2, name: "shared")
    let add = { [mixer] (graph: inout Graph) in
      try graph.attach(shared.node)
      try graph.connect(shared.node, to: mixer, toBus: 1)
    }
    var other: AudioEngine? = try AudioEngine.chain(shared.node, output: try OutputNode(channelCount: 2))
    expect(
      .inAnotherEngine(node: "shared"),
      "attaching shared: another engine has it, and it renders in one at a time; detach it there first, "
        + "or make another", add)
    try other?.edit { graph in try graph.detach(shared.node) }
    try engine.edit(add)
    try engine.edit { graph in try graph.detach(shared.node) }
    try other?.edit { graph in try graph.attach(shared.node) }
    #expect(throws: GraphError.inAnotherEngine(node: "shared")) { try engine.edit(add) }
    other = nil
    try engine.edit(add)
  }

  @Test("a refused edit keeps no node from other engines")
  func refusedNode() throws {
    let shared = ConstantSource(2, name: "shared")
    #expect(throws: GraphError.outputNodes(count: 2)) {
      try engine.edit { graph in
        try graph.attach(shared.node)
        try graph.attach(try OutputNode(channelCount: 2))
      }
    }
    let other = try AudioEngine.chain(shared.node, output: try OutputNode(channelCount: 2))
    #expect(other.render(1)[0] == [2])
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

  @Test func ratesTooFarApart() {
    let slow = ConstantSource(1, name: "slow", format: .stereo(500))
    expect(
      .formatMismatch(
        source: "slow output bus 0", destination: "output input bus 0",
        reason: "no converter goes from 500 Hz to 48000 Hz", remedy: "stay within a factor of 64, or use two"),
      "connecting slow output bus 0 to output input bus 0: no converter goes from 500 Hz to 48000 Hz; "
        + "stay within a factor of 64, or use two"
    ) { graph in
      try graph.attach(slow.node)
      try graph.disconnect(input: output)
      try graph.connect(slow.node, to: output)
    }
  }

  @Test func ratesThatANodeDoesNotLookAt() {
    let slow = ConstantSource(1, name: "slow", format: .stereo(44100))
    let careless = CarelessNode { _ in [.stereo(48000)] }
    expect(
      .formatMismatch(
        source: "slow output bus 0", destination: "careless input bus 0",
        reason: "it runs at 44100 Hz, careless at 48000 Hz", remedy: "put a converter between them"),
      "connecting slow output bus 0 to careless input bus 0: it runs at 44100 Hz, careless at 48000 Hz; "
        + "put a converter between them"
    ) { graph in
      try graph.attach(slow.node)
      try graph.attach(careless)
      try graph.connect(slow.node, to: careless)
      try graph.connect(careless, to: mixer, toBus: 1)
    }
  }

  @Test(
    "formats that a node gives but nothing can render",
    arguments: [
      ([.stereo(0)], "its output would run at 0 Hz; choose 1 Hz to 1 MHz"),
      ([.stereo(.nan)], "its output would run at 0 Hz; choose 1 Hz to 1 MHz"),
      (
        [AudioFormat(sampleRate: 48000, channelCount: -1)],
        "its output would have -1 channels; choose 1 to 1024"
      ),
      ([], "it gives 0 formats for 1 output bus; give one for each"),
    ] as [([AudioFormat], String)])
  func absurdFormats(formats: [AudioFormat], reason: String) {
    let careless = CarelessNode { _ in formats }
    expect(.unfitOutput(node: "careless", reason: reason), "preparing careless: \(reason)") { graph in
      try graph.attach(careless)
      try graph.connect(careless, to: mixer, toBus: 1)
    }
  }

  @Test("an output bus that its node has done away with")
  func outputGone() throws {
    let fickle = SilentNode(name: "fickle", busCount: 2)
    try engine.edit { graph in
      try graph.attach(fickle)
      try graph.connect(fickle, to: mixer, fromBus: 1, toBus: 1)
    }
    fickle.busCount.store(1, ordering: .relaxed)
    expect(
      .busGone(bus: "fickle output bus 1", count: 1),
      "preparing fickle output bus 1: the bus is gone, the node has 1 now; disconnect it"
    ) { _ in }
    try engine.edit { graph in try graph.disconnect(input: mixer, bus: 1) }
  }

  @Test func channelsThatDoNotFit() {
    let quad = ConstantSource(1, name: "quad", format: AudioFormat(sampleRate: 48000, channelCount: 4))
    let equalizer = EqualizerNode()
    expect(
      .formatMismatch(
        source: "quad output bus 0", destination: "equalizer input bus 0",
        reason: "the equalizer takes mono or stereo, not 4 channels", remedy: "put a converter between them"),
      "connecting quad output bus 0 to equalizer input bus 0: the equalizer takes mono or stereo, not 4 channels; "
        + "put a converter between them"
    ) { graph in
      try graph.attach(quad.node)
      try graph.attach(equalizer)
      try graph.connect(quad.node, to: equalizer)
      try graph.connect(equalizer, to: mixer, toBus: 1)
    }
  }

  @Test func twoOutputs() throws {
    let other = try OutputNode(channelCount: 2)
    expect(
      .outputNodes(count: 2),
      "preparing the graph: it has 2 output nodes; attach exactly one, it starts and stops the flow"
    ) { graph in try graph.attach(other) }
  }

  @Test func theOutputFeedsNothingThatFeedsIt() {
    expect(
      .cycle(path: ["output", "mixer", "output"]),
      "connecting output → mixer → output: the path leads back to its start; feedback needs a delay between"
    ) { graph in try graph.connect(output, to: mixer, toBus: 1) }
  }
}

/// A node that says of its formats whatever it is told to.
private final class CarelessNode: AudioNode {
  let name = "careless"
  let inputBusCount = 1
  let outputBusCount = 1
  private let formats: @Sendable ([AudioFormat?]) -> [AudioFormat]

  init(_ formats: @escaping @Sendable ([AudioFormat?]) -> [AudioFormat]) { self.formats = formats }

  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] { formats(inputs) }
  func kernel(for formats: BusFormats) -> Kernel { Kernel(0) { _, _ in } }
}
