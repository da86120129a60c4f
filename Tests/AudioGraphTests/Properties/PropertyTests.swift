import SynthDSP
import SynthRealtime
import Testing

@testable import AudioGraph

@Suite("Property")
struct PropertyTests {
  let equalizer = EqualizerNode()
  let flat: PropertyValue = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  let low: PropertyValue = [-6, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  private func output(_ channelCount: Int = 2) throws -> OutputNode { try OutputNode(channelCount: channelCount) }

  @Test("is listed, read and set by name, without knowing the node")
  func byName() throws {
    let node: any AudioNode = equalizer
    #expect(node.properties.map(\.name) == ["curve"])
    let curve = try node.property(named: "curve")
    #expect(curve.value == .list(Array(repeating: .number(0), count: 10)))
    try curve.set(low)
    #expect(equalizer.curve.gains[0] == -6)
    #expect("\(curve)" == "curve -6,0,0,0,0,0,0,0,0,0 dB")
  }

  @Test("is observed, also when it is set another way")
  func observed() throws {
    let told = Told<PropertyValue>()
    let observation = try equalizer.property(named: "curve").observe { told.tell($0) }
    equalizer.curve = try EqualizerCurve(gains: [3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(told.waitFor(.list([.number(3)] + Array(repeating: .number(0), count: 9))))
    observation.cancel()
  }

  private func expect(_ error: PropertyError, _ line: String, _ body: () throws -> Void) {
    #expect(throws: error) { try body() }
    #expect("\(error)" == line)
  }

  @Test("refuses what it is not, and says what it takes")
  func errors() throws {
    expect(
      .unknown(node: "equalizer", name: "curv", near: ["curve"]),
      "finding property \"curv\" of equalizer: unknown property; did you mean \"curve\"?"
    ) { _ = try equalizer.property(named: "curv") }
    let curve = try equalizer.property(named: "curve")
    expect(
      .wrongValue(node: "equalizer", name: "curve", value: "loud", kind: curve.kind),
      "setting curve of equalizer to loud: it takes a list of 10, each a number from −24 to 24 dB"
    ) { try curve.set("loud") }
    expect(
      .readOnly(node: "limiter", name: "ceiling"),
      "setting ceiling of limiter: it was decided when the node was made; make another node"
    ) { try LimiterNode().property(named: "ceiling").set(-3) }
    let output = try output()
    expect(
      .running(node: "output", name: "channel count"),
      "setting channel count of output: the engine is running; stop it first"
    ) { try output.property(named: "channel count").set(4, isRunning: true) }
    #expect(output.channelCount == 2)
  }

  @Test("shows the unit of its numbers")
  func units() throws {
    #expect("\(try ConverterNode().property(named: "latency"))" == "latency 0 frames")
    #expect("\(try DelayNode(delay: 0.5).property(named: "delay"))" == "delay 0.5 s")
  }

  @Test("takes values of its kind only")
  func kinds() {
    #expect(PropertyKind.number(0...1, unit: .ratio).accept(1) == .number(1))
    #expect(PropertyKind.number(0...1, unit: .ratio).accept(.number(.nan)) == nil)
    #expect(PropertyKind.integer(1...3).accept(4) == nil)
    #expect(PropertyKind.integer(1...3).accept(2.0) == nil)
    #expect(PropertyKind.bool.accept(true) == true)
    #expect(PropertyKind.bool.accept(1) == nil)
    #expect(PropertyKind.choice(["sine", "square"]).accept("square") == "square")
    #expect(PropertyKind.choice(["sine", "square"]).accept("noise") == nil)
    #expect("\(PropertyKind.choice(["sine", "square"]))" == "\"sine\" or \"square\"")
    #expect(PropertyKind.list(of: .text, count: 1...2).accept([]) == nil)
    #expect(PropertyKind.list(of: .text, count: 1...2).accept(["a", 1]) == nil)
    #expect("\(PropertyKind.list(of: .text, count: 1...Int.max))" == "a list of 1 or more, each a text")
    #expect("\(PropertyKind.integer(0...Int.max))" == "a whole number from 0 on")
    #expect("\(PropertyKind.integer(1...8, unit: .frames))" == "a whole number from 1 to 8 frames")
  }

  // one ─► output
  @Test("set through the engine takes effect between two quanta")
  func live() throws {
    let one = ConstantSource(1)
    let output = try output()
    let engine = try AudioEngine.chain(one.node, output: output)
    #expect(engine.render(32) == [Array(repeating: 1, count: 32), Array(repeating: 2, count: 32)])
    try engine.set("channel map", of: output, to: [1, -1], transition: .exact)
    let samples = engine.render(64)
    #expect(samples[0] == Array(repeating: 1, count: 32) + Array(repeating: 2, count: 32))
    #expect(samples[1] == Array(repeating: 2, count: 32) + Array(repeating: 0, count: 32))
    try engine.set("channel count", of: output, to: 3)
    _ = engine.render(32)
    #expect(engine.render(1, channels: 3) == [[1], [2], [0]])
  }

  @Test("that can be set only while stopped waits for the engine to stop")
  func running() throws {
    let device = StillOutput()
    let engine = AudioEngine(output: device)
    let output = try output()
    try engine.edit { graph in try graph.attach(output) }
    try engine.start()
    let error = PropertyError.running(node: "output", name: "channel count")
    #expect(throws: error) { try engine.set("channel count", of: output, to: 2) }
    try engine.set("channel map", of: output, to: [1, 0])
    try engine.pause()
    #expect(throws: error) { try engine.set("channel count", of: output, to: 2) }
    try engine.stop()
    try engine.set("channel count", of: output, to: 2)
    #expect(output.channelMap == ChannelMap([0, 1]))
  }

  @Test("set through the engine to what the node refuses changes nothing")
  func refused() throws {
    let one = ConstantSource(1)
    let output = try output(4)
    let engine = try AudioEngine.chain(one.node, output: output)
    #expect(throws: ChannelMapError.wrongLength(ChannelMap([1, 0]), sourceCount: 2, destinationCount: 4)) {
      try engine.set("channel map", of: output, to: [1, 0])
    }
    #expect(throws: GraphError.notAttached(node: "equalizer")) { try engine.set("curve", of: equalizer, to: low) }
    #expect(equalizer.curve == .flat)
    #expect(engine.render(1, channels: 4) == [[1], [2], [0], [0]])
  }

  @Test("set through the engine to what the output unit refuses leaves what hangs on it, too")
  func refusedByUnit() throws {
    let engine = AudioEngine(output: TestOutput())
    let (one, output) = (ConstantSource(1), try OutputNode(channelCount: 2, channelMap: ChannelMap([1, 0])))
    try engine.edit { graph in
      try graph.attach(one.node)
      try graph.attach(output)
      try graph.connect(one.node, to: output)
    }
    #expect(throws: EngineError.channelCount(outputNode: 4, player: "test output", channels: 2)) {
      try engine.set("channel count", of: output, to: 4)
    }
    #expect(output.channelMap == ChannelMap([1, 0]))
  }

  // one ─► (1) mixer ─► output
  @Test("gives a mixer inputs and takes them away, but none that is in use")
  func mixerInputs() throws {
    let (one, mixer) = (ConstantSource(1), MixerNode(inputBusCount: 2))
    let engine = AudioEngine(sampleRate: 48000)
    let output = try output()
    try engine.edit { graph in
      for node in [one.node, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(one.node, to: mixer, toBus: 1)
      try graph.connect(mixer, to: output)
    }
    let kept = mixer.inputs[1].gain
    try engine.set("input bus count", of: mixer, to: 5)
    #expect(mixer.inputBusCount == 5 && mixer.inputs[1].gain === kept)
    #expect(throws: GraphError.busInUse(input: "mixer input bus 1")) {
      try engine.set("input bus count", of: mixer, to: 1)
    }
    try engine.set("input bus count", of: mixer, to: 2)
    #expect(mixer.inputs.map(\.gain.name) == ["input 0 gain", "input 1 gain"])
    #expect(engine.render(1) == [[1], [2]])
  }

  @Test("set through the engine to what the graph cannot be prepared with is as before, where another refuses too")
  func unprepared() throws {
    let picky = PickyNode()
    let engine = try AudioEngine.chain(picky, output: try output())
    try engine.set("channel count", of: picky, to: 1)
    #expect(throws: GraphError.self) { try engine.set("channel count", of: picky, to: 3) }
    #expect(try picky.property(named: "channel count").value == 1)
  }
}

/// A device that never asks for anything.
private final class StillOutput: OutputUnit {
  let name = "still"
  let sampleRate = 48000.0
  let channelCount = 2
  let latency = OutputLatency(period: 1, buffer: 1)
  let isRunning = true

  func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) {}
  func stop() {}
}
