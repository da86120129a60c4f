import AudioGraph
import RealtimeProbes
import Synchronization
import TestSupport
import Testing

@Suite("When the time of day is set back by an hour", .timeLimit(.minutes(1)))
struct WallClockTests {
  private final class Deliveries: Sendable {
    let count = Atomic<Int>(0)

    /// Whether there are so many, for which a busy machine gets half a minute.
    func waitFor(_ wanted: Int) -> Bool { eventually { count.load(ordering: .relaxed) >= wanted } }
  }

  @Test("a tap delivers as before")
  func tap() throws {
    // What is to be waited for by this clock lies an hour ahead of the kernel's.
    realtime_probe_set_wall_clock(3600)
    defer { realtime_probe_set_wall_clock(0) }
    let deliveries = Deliveries()
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      let (tone, output) = (SignalGeneratorNode(channelCount: 2), try OutputNode(channelCount: 2))
      for node in [tone, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(tone, to: output)
      try graph.tap(tone, with: try TapNode { _ in deliveries.count.add(1, ordering: .relaxed) })
    }
    for round in 1...2 {
      _ = try engine.render(frameCount: 64)
      #expect(deliveries.waitFor(round))
    }
  }
}
