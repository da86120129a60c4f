import AudioGraph
import Synchronization
import SynthRealtime
import Testing

@Suite("Render callbacks")
struct CallbackTests {
  @Test("a closure renders as a C function does")
  func closure() throws {
    let source = SourceNode(format: .mono(48000)) { request in
      for frame in 0..<request.frameCount { request.buffers[0][frame] = Float(request.sampleTime + Int64(frame)) }
    }
    let engine = try AudioEngine.chain(source, output: try OutputNode(channelCount: 1, sourceCount: 1))
    #expect(engine.render(200, channels: 1)[0] == (0..<200).map(Float.init))
  }

  @Test("a callback is told its sample time, 64 frames a call, and the host time of the slice it is rendered in")
  func times() throws {
    let calls = Calls()
    let source = SourceNode(format: .stereo(48000)) { request in
      calls.note(request)
      request.buffers.silence()
    }
    let engine = try AudioEngine.chain(source, output: try OutputNode(channelCount: 2))
    let buffer = SampleBuffer(channelCount: 2, frameCapacity: 100)
    for hostTime in [7, 8] as [UInt64] {
      try engine.render(
        RenderSlice(channels: buffer.channels, channelCount: 2, frameCount: 100, hostTime: hostTime))
    }
    #expect(calls.all.map(\.sampleTime) == [0, 64, 128, 192])
    #expect(calls.all.map(\.hostTime) == [7, 7, 8, 8])
    #expect(calls.all.map(\.frameCount) == [64, 64, 64, 64])
  }

  // source ─ 0 ─► mixer ─► output
  //         ─ 2 ──► 1
  @Test("one callback renders several buses, and is told which")
  func buses() throws {
    let calls = Calls()
    let source = SourceNode(format: .stereo(48000), busCount: 3) { request in
      if request.bus == 1 { return request.buffers.silence() }
      for channel in 0..<2 {
        request.buffers[channel].update(repeating: Float(100 + request.bus), count: request.frameCount)
      }
      calls.note(request)
    }
    let mixer = MixerNode(inputBusCount: 2)
    let engine = try AudioEngine.chain(mixer, output: try OutputNode(channelCount: 2))
    try engine.edit { graph in
      try graph.attach(source)
      try graph.connect(source, to: mixer, fromBus: 0, toBus: 0)
      try graph.connect(source, to: mixer, fromBus: 2, toBus: 1)
    }
    #expect(engine.render(128)[0].allSatisfy { $0 == 202 })
    #expect(calls.all.map(\.first) == [100, 102, 100, 102])
    #expect(calls.all.map(\.sampleTime) == [0, 0, 64, 64])
    let made = try ComponentRegistry(Component.audioGraph).component(named: "source").make(["output bus count": 3])
    #expect(made.outputBusCount == 3)
  }

  //  quiet ─► mixer ─► equalizer ─► sink
  @Test("what a callback says is silent is silent for everything after it, and zero")
  func silence() throws {
    let calls = Calls()
    let quiet = SourceNode(name: "quiet", format: .stereo(48000)) { $0.buffers.silence() }
    let (mixer, equalizer) = (MixerNode(inputBusCount: 1), EqualizerNode())
    let sink = SinkNode { calls.note($0) }
    let engine = try AudioEngine.chain(quiet, mixer, equalizer, output: try OutputNode(channelCount: 2))
    try engine.edit { graph in try graph.tap(equalizer, with: sink) }
    #expect(engine.render(64)[0] == Array(repeating: 0, count: 64))
    #expect(calls.all.map(\.isSilent) == [true])
  }

  @Test("a callback that says nothing of silence is heard")
  func sounding() throws {
    let calls = Calls()
    let one = ConstantSource(1)
    let sink = SinkNode { calls.note($0) }
    let engine = try AudioEngine.chain(one.node, output: try OutputNode(channelCount: 2))
    try engine.edit { graph in try graph.tap(one.node, with: sink) }
    _ = engine.render(64)
    #expect(calls.all.map(\.isSilent) == [false])
    #expect(calls.all.map(\.first) == [1])
  }

  @Test("a C function's owner lives as long as the function may be called")
  func owner() throws {
    let engine = try AudioEngine.chain(ConstantSource(1).node, output: try OutputNode(channelCount: 2))
    weak var weakOwner: AnyObject?
    do {
      let owner = Owner()
      weakOwner = owner
      let callback = RenderCallback(
        { value, request in
          let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
          request.buffers[0][0] = value.assumingMemoryBound(to: Float.self).pointee
        }, context: UnsafeMutableRawPointer(owner.value), owner: owner)
      let source = SourceNode(format: .stereo(48000), callback)
      try engine.edit(transition: .exact) { graph in try graph.replace(graph.nodes[0], with: source) }
    }
    #expect(engine.render(1)[0] == [3])
    #expect(weakOwner != nil)
    try engine.edit(transition: .exact) { graph in try graph.detach(graph.nodes[0]) }
    _ = engine.render(64)
    try engine.collect()
    #expect(weakOwner == nil)
  }
}

@Suite("Sinks")
struct SinkTests {
  // counting ─┬► output
  //           └► sink
  @Test("a sink is given what arrives, as often as the output is asked", arguments: [1, 64, 1000])
  func received(sliceSize: Int) throws {
    let calls = Calls()
    let source = CountingSource()
    let sink = SinkNode { calls.note($0) }
    let engine = try AudioEngine.chain(source.node, output: try OutputNode(channelCount: 2))
    try engine.edit { graph in try graph.tap(source.node, with: sink) }
    _ = engine.render(256, sliceSize: sliceSize)
    #expect(calls.all.map(\.first) == [0, 64, 128, 192])
    #expect(source.callCount == 4)
  }

  // counting ─► mixer ─► sink      one ─► output
  @Test("a path that ends at a sink is rendered though the output does not reach it")
  func ownPath() throws {
    let calls = Calls()
    let (source, one) = (CountingSource(), ConstantSource(1))
    let mixer = MixerNode(inputBusCount: 1)
    let sink = SinkNode { calls.note($0) }
    let engine = try AudioEngine.chain(one.node, output: try OutputNode(channelCount: 2))
    try engine.edit { graph in
      for node in [source.node, mixer, sink] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(source.node, to: mixer)
      try graph.connect(mixer, to: sink)
    }
    #expect(engine.render(64)[0] == Array(repeating: 1, count: 64))
    #expect(calls.all.map(\.first) == [0])
  }

  @Test("a sink that is not connected is not called")
  func unconnected() throws {
    let calls = Calls()
    let engine = try AudioEngine.chain(ConstantSource(1).node, output: try OutputNode(channelCount: 2))
    try engine.edit { graph in try graph.attach(SinkNode { calls.note($0) }) }
    _ = engine.render(64)
    #expect(calls.all.isEmpty)
  }

  @Test("several sinks on one bus get the same")
  func several() throws {
    let (first, second) = (Calls(), Calls())
    let source = CountingSource()
    let engine = try AudioEngine.chain(source.node, output: try OutputNode(channelCount: 2))
    try engine.edit { graph in
      for calls in [first, second] { try graph.tap(source.node, with: SinkNode { calls.note($0) }) }
    }
    _ = engine.render(128)
    #expect(first.all == second.all && first.all.count == 2)
  }
}

/// What a callback was called with.
final class Calls: Sendable {
  struct Call: Equatable {
    let sampleTime: Int64
    let hostTime: UInt64
    let frameCount: Int
    let isSilent: Bool
    /// The first sample of the first channel.
    let first: Float
  }

  private let calls = Mutex<[Call]>([])

  var all: [Call] { calls.withLock { $0 } }

  func note(_ request: RenderRequest) {
    let call = Call(
      sampleTime: request.sampleTime, hostTime: request.hostTime, frameCount: request.frameCount,
      isSilent: request.buffers.isSilent, first: request.buffers[0][0])
    calls.withLock { $0.append(call) }
  }
}

/// A number at an address.
private final class Owner: @unchecked Sendable {
  let value = UnsafeMutablePointer<Float>.allocate(capacity: 1)

  init() { value.initialize(to: 3) }

  deinit { value.deallocate() }
}
