import AudioGraph
import Synchronization
import TestSupport
import Testing

@Suite("Taps", .timeLimit(.minutes(1)))
struct TapTests {
  private let source = CountingSource()

  /// counting ─► output
  private func engine() throws -> AudioEngine {
    try AudioEngine.chain(source.node, output: try OutputNode(channelCount: 2))
  }

  @Test("a tap reads what the bus carries, whole quanta, in order", arguments: [1, 64, 100, 4096])
  func read(sliceSize: Int) throws {
    let engine = try engine()
    let tap = TapNode()
    try engine.edit { [source] graph in try graph.tap(source.node, with: tap) }
    _ = engine.render(6400, sliceSize: sliceSize)
    let heard = Heard()
    tap.read { heard.take($0) }
    #expect(heard.left == (0..<6400).map(Float.init))
    #expect(heard.right == (0..<6400).map { -Float($0) })
    #expect(heard.format == .stereo(48000))
    #expect(tap.droppedFrameCount == 0)
    tap.read { _ in Issue.record("everything has been read") }
  }

  @Test("a block becomes a buffer, which stays when the block's memory is used for the next")
  func copies() throws {
    let engine = try engine()
    let tap = TapNode()
    try engine.edit { [source] graph in try graph.tap(source.node, with: tap) }
    _ = engine.render(8192)
    var copies: [AudioBuffer] = []
    tap.read { copies.append(AudioBuffer($0)) }
    #expect(copies.map(\.frameCount) == [4096, 4096] && copies.allSatisfy { $0.format == .stereo(48000) })
    #expect(copies[0][0].elementsEqual((0..<4096).map(Float.init)) && copies[1][1, 0] == -4096)
  }

  @Test("a tap loses nothing up to its capacity, counts what is too much, and goes on at the right time")
  func capacity() throws {
    let engine = try engine()
    let tap = TapNode(capacity: 16384)
    try engine.edit { [source] graph in try graph.tap(source.node, with: tap) }
    _ = engine.render(16384 + 640)
    #expect(tap.droppedFrameCount == 640)
    let heard = Heard()
    tap.read { heard.take($0) }
    #expect(heard.left == (0..<16384).map(Float.init))
    _ = engine.render(64)
    tap.read { heard.take($0) }
    #expect(heard.times == [0, 4096, 8192, 12288, 17024])
    #expect(heard.left.last == 17087)
    #expect(tap.droppedFrameCount == 640)
  }

  @Test("a capacity below the range becomes its least, 16384 frames", arguments: [Int.min, -1, 0, 16383])
  func lowCapacity(capacity: Int) throws {
    let engine = try engine()
    let tap = TapNode(capacity: capacity)
    try engine.edit { [source] graph in try graph.tap(source.node, with: tap) }
    _ = engine.render(16384 + 64)
    #expect(tap.droppedFrameCount == 64)
  }

  @Test("a block never spans a gap")
  func gap() throws {
    let engine = try engine()
    let tap = TapNode()
    try engine.edit { [source] graph in try graph.tap(source.node, with: tap) }
    _ = engine.render(64)
    try engine.edit { graph in try graph.detach(tap) }
    _ = engine.render(64)
    try engine.edit { [source] graph in try graph.tap(source.node, with: tap) }
    _ = engine.render(128)
    let heard = Heard()
    tap.read { heard.take($0) }
    #expect(heard.times == [0, 128])
    #expect(heard.left == ((0..<64).map(Float.init) + (128..<256).map(Float.init)))
  }

  // one ─► tap, then counting (mono) ─► tap
  @Test("a tap that is moved to a bus of another format delivers the old and then the new, each as it is")
  func otherFormat() throws {
    let engine = try engine()
    let mono = CountingSource(name: "mono", format: .mono(48000))
    let tap = TapNode()
    try engine.edit { [source] graph in
      try graph.attach(mono.node)
      try graph.tap(source.node, with: tap)
    }
    _ = engine.render(64)
    try engine.edit { graph in
      try graph.disconnect(input: tap)
      try graph.connect(mono.node, to: tap)
    }
    _ = engine.render(64)
    let heard = Heard()
    tap.read { heard.take($0) }
    #expect(heard.formats == [.stereo(48000), .mono(48000)])
    #expect(heard.left == (0..<128).map(Float.init))
  }

  @Test("a refused edit leaves a tap reading")
  func refusedEdit() throws {
    let engine = try engine()
    let mono = CountingSource(name: "mono", format: .mono(48000))
    let tap = TapNode()
    try engine.edit { [source] graph in try graph.tap(source.node, with: tap) }
    #expect(throws: GraphError.outputNodes(count: 2)) {
      try engine.edit { graph in
        try graph.attach(mono.node)
        try graph.disconnect(input: tap)
        try graph.connect(mono.node, to: tap)
        try graph.attach(try OutputNode(channelCount: 2))
      }
    }
    _ = engine.render(64)
    let heard = Heard()
    tap.read { heard.take($0) }
    #expect(heard.formats == [.stereo(48000)])
  }

  @Test("a tap delivers everything on its own thread, however fast it is rendered")
  func delivery() throws {
    let engine = try engine()
    let heard = Heard()
    let tap = try TapNode(capacity: 16384) { heard.take($0) }
    try engine.edit { [source] graph in try graph.tap(source.node, with: tap) }
    _ = try engine.render(frameCount: 200_000)
    tap.finish()
    #expect(tap.droppedFrameCount == 0)
    #expect(heard.left == (0..<200_000).map(Float.init))
  }

  @Test("several taps on one bus each hear all of it")
  func several() throws {
    let engine = try engine()
    let taps = [TapNode(name: "one"), TapNode(name: "two")]
    try engine.edit { [source] graph in for tap in taps { try graph.tap(source.node, with: tap) } }
    _ = engine.render(640)
    for tap in taps {
      let heard = Heard()
      tap.read { heard.take($0) }
      #expect(heard.left.count == 640)
    }
  }

  @Test("a tap may be finished from its own delivery, and more than once")
  func finishWithin() throws {
    let engine = try engine()
    let box = Mutex<TapNode?>(nil)
    let blocks = Atomic<Int>(0)
    let tap = try TapNode { _ in
      box.withLock { $0 }?.finish()
      blocks.add(1, ordering: .relaxed)
    }
    box.withLock { $0 = tap }
    try engine.edit { [source] graph in try graph.tap(source.node, with: tap) }
    _ = try engine.render(frameCount: 64)
    tap.finish()
    tap.finish()
    #expect(blocks.load(ordering: .relaxed) == 1)
    box.withLock { $0 = nil }
  }

  @Test("an edit that removes a tap does not wait for a delivery that uses the engine")
  func removal() throws {
    let engine = try engine()
    let isDelivering = Atomic<Bool>(false)
    let mayGoOn = Atomic<Bool>(false)
    let hasCollected = Atomic<Bool>(false)
    try engine.edit { [source] graph in
      let tap = try TapNode { [unowned engine] _ in
        isDelivering.store(true, ordering: .releasing)
        #expect(eventually { mayGoOn.load(ordering: .acquiring) })
        _ = (try? engine.collect(), engine.graph)
        hasCollected.store(true, ordering: .releasing)
      }
      try graph.tap(source.node, with: tap)
    }
    _ = engine.render(64)
    try #require(eventually { isDelivering.load(ordering: .acquiring) })
    try engine.edit { graph in
      let taps = graph.nodes.filter { $0 is TapNode }
      for tap in taps { try graph.detach(tap) }
    }
    mayGoOn.store(true, ordering: .releasing)
    #expect(eventually { hasCollected.load(ordering: .acquiring) })
  }

  @Test("a tap that is dropped ends its delivery, and lets go of what that holds")
  func deallocation() throws {
    weak var closure: Heard?
    do {
      let heard = Heard()
      closure = heard
      _ = try TapNode { heard.take($0) }
    }
    #expect(eventually { closure == nil })
  }
}

/// All that taps have delivered.
private final class Heard: Sendable {
  private struct Content {
    var left: [Float] = []
    var right: [Float] = []
    var times: [Int64] = []
    var formats: [AudioFormat] = []
  }

  private let content = Mutex(Content())

  var left: [Float] { content.withLock { $0.left } }
  var right: [Float] { content.withLock { $0.right } }
  /// Of the blocks.
  var times: [Int64] { content.withLock { $0.times } }
  var formats: [AudioFormat] { content.withLock { $0.formats } }
  var format: AudioFormat? { formats.first }

  func take(_ block: TapBlock) {
    content.withLock { content in
      content.left += block[0]
      if block.format.channelCount > 1 { content.right += block[1] }
      content.times.append(block.sampleTime)
      content.formats.append(block.format)
    }
  }
}
