import RealtimeProbes
import SynthRealtime
import Testing

@testable import AudioGraph

@Suite("An input neither allocates, locks, retains nor releases")
struct InputTests {
  @Test("where it is read, and where its unit gives", arguments: [true, false])
  func liveReading(isOnOutputClock: Bool) throws {
    let watched = WatchedEngine()
    let unit = VirtualInput(channelCount: 4, period: 64, isOnOutputClock: isOnOutputClock)
    let node = try InputNode(unit, channelMap: ChannelMap([3, -1]))
    try watched.place(node, fedWith: .stereo(48000))
    try node.start(for: PacedOutput(period: 64))
    let block = [[Float]](repeating: [Float](repeating: 0.25, count: 64), count: 4)
    for period in 0..<200 {
      let time = 1_000_000_000 + UInt64(period) * 1_333_333
      unit.deliver(block, hostTime: time)
      watched.render(64, hostTime: time + 1_333_333)
    }
    #expect(abs(watched.peak() - 0.25) < 0.001)
    #expect(node.statistics.locks == 1)
    // The unit falls silent, gives again, and gives more than there is room for.
    watched.render(1024, hostTime: 2_000_000_000)
    #expect(node.statistics.framesMissing > 0)
    for period in 0..<3000 {
      let time = 3_000_000_000 + UInt64(period) * 1_333_333
      unit.deliver(block, hostTime: time)
      if period < 100 || period > 2900 { watched.render(64, hostTime: time + 1_333_333) }
    }
    #expect(node.statistics.framesLost > 0)
    #expect(watched.violations.isEmpty, "\(watched.violations)")
  }
}
