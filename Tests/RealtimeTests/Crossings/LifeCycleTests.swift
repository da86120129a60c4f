import AudioGraph
import Glibc
import Synchronization
import TestSupport
import Testing

/// Engines that are started, paused, stopped, reset, edited, tapped, rendered by hand and let go of by several threads
/// at once, in any order. That it ends proves that nothing waits for ever; ThreadSanitizer proves the rest.
@Suite("Random life cycles", .timeLimit(.minutes(10)))
struct LifeCycleTests {
  // Each is the same in any build; ThreadSanitizer's is the one that counts.
  #if THREAD_SANITIZER
    private static let count = 10_000
  #else
    private static let count = 1000
  #endif

  @Test("never deadlock, and refuse with typed errors only")
  func random() throws {
    var random = SplitMix64(seed: 41)
    for _ in 0..<Self.count { try live(&random) }
  }

  /// The life of one engine: two threads do what they like, and each lets go of it when it is done.
  private func live(_ random: inout SplitMix64) throws {
    let alive = Counter()
    do {
      let engine = try Life(alive)
      let seeds = [random.next(), random.next()]
      var threads: [RunningThread] = []
      for seed in seeds {
        threads.append(RunningThread { [engine] in engine.act(seed) })
      }
      // The last to let go may be any of the three.
      _ = consume engine
      for thread in threads { thread.join() }
    }
    // A delivery may still hold the engine for a moment.
    #expect(eventually { alive.value.load(ordering: .acquiring) == 0 })
  }
}

/// An engine, what is in it and what one can do to it.
///
///     source ─┬─► graph node ─► output
///             └─► tap
private final class Life: Sendable {
  private let engine: AudioEngine
  private let inner = AudioEngine(sampleRate: 48000)
  private let source: SourceNode
  private let replacement = TestNodes.source()
  private let output: OutputNode
  private let tap: TapNode

  init(_ alive: Counter) throws {
    let token = LifeToken(alive)
    source = SourceNode(format: .stereo(48000)) { request in
      withExtendedLifetime(token) { request.buffers[0][0] = 1 }
    }
    engine = AudioEngine(output: ThreadedOutput())
    output = try OutputNode(channelCount: 2)
    tap = try TapNode { [weak engine] block in
      // The delivery may be the last to hold the engine.
      if block.sampleTime & 256 != 0 { _ = try? engine?.collect() }
    }
    let node = try GraphNode(inner, inputFormats: [.stereo(48000)])
    let innerOutput = try OutputNode(channelCount: 2)
    try inner.edit { graph in
      try graph.attach(node.inputs[0])
      try graph.attach(innerOutput)
      try graph.connect(node.inputs[0], to: innerOutput)
    }
    try engine.edit { [source, output, tap] graph in
      for node in [source, node, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(source, to: node)
      try graph.connect(node, to: output)
      try graph.tap(source, with: tap)
    }
  }

  /// Up to six deeds.
  func act(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      do {
        try act(Int.random(in: 0..<11, using: &random))
      } catch {
        #expect(error is EngineError || error is GraphError, "\(error)")
      }
    }
  }

  private func act(_ deed: Int) throws {
    switch deed {
    case 0...2: try engine.start()
    case 3: try engine.pause()
    case 4: try engine.stop()
    case 5: try engine.reset()
    case 6: try engine.collect()
    case 7: _ = try engine.render(frameCount: 100)
    case 8: try engine.edit { graph in try graph.replace(source, with: replacement) }
    case 9: try engine.edit { graph in for node in graph.nodes where node is TapNode { try graph.detach(node) } }
    case 10: tap.finish()
    default: break
    }
    _ = engine.isRunning
  }
}

private final class LifeToken: Sendable {
  private let alive: Counter

  init(_ alive: Counter) {
    self.alive = alive
    alive.value.add(1, ordering: .acquiringAndReleasing)
  }

  deinit { alive.value.add(-1, ordering: .acquiringAndReleasing) }
}

private final class Counter: Sendable {
  let value = Atomic<Int>(0)
}
