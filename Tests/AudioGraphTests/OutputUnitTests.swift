import AudioGraph
import Glibc
import Synchronization
import SynthRealtime
import Testing

@Suite("Output units without a device", .timeLimit(.minutes(2)))
struct OutputUnitTests {
  private let source = CountingSource()

  /// What a unit has played.
  private final class Played: Sendable {
    let left = Mutex<[Float]>([])
    let hostTimes = Mutex<[UInt64]>([])

    func take(_ slice: RenderSlice) {
      left.withLock { $0 += UnsafeBufferPointer(start: slice.channels[0], count: slice.frameCount) }
      hostTimes.withLock { $0.append(slice.hostTime) }
    }

    func wait(for frameCount: Int) { while left.withLock({ $0.count }) < frameCount { usleep(1000) } }
  }

  private let played = Played()

  /// counting ─► output
  private func engine(on unit: any OutputUnit) throws -> AudioEngine {
    let engine = AudioEngine(output: unit)
    let output = try OutputNode(channelCount: unit.channelCount)
    try engine.edit { [source] graph in
      try graph.attach(source.node)
      try graph.attach(output)
      try graph.connect(source.node, to: output)
    }
    return engine
  }

  @Test("a paced one plays in real time by deadlines that do not drift, and not faster")
  func paced() throws {
    let unit = PacedOutput(sampleRate: 48000, period: 240) { [played] in played.take($0) }
    let engine = try engine(on: unit)
    let began = HostClock.now
    try engine.start()
    played.wait(for: 240 * 101)
    let elapsed = HostClock.now - began
    try engine.stop()
    // 100 periods of 5 ms lie between the first and the last slice.
    #expect(elapsed >= 500_000_000)
    let left = played.left.withLock { $0 }
    #expect(left == (0..<left.count).map(Float.init) && left.count % 240 == 0)
    let times = played.hostTimes.withLock { $0 }
    // Slice n is never asked for before its deadline, which is rounded down, however late the first one was.
    #expect(times.indices.allSatisfy { times[$0] + 1 >= began + UInt64($0) * 5_000_000 })
  }

  @Test("a free-running one plays as fast as it can")
  func freeRunning() throws {
    let unit = FreeRunningOutput { [played] in played.take($0) }
    let engine = try engine(on: unit)
    let began = HostClock.now
    try engine.start()
    // A minute of audio.
    played.wait(for: 48000 * 60)
    try engine.stop()
    #expect(HostClock.now - began < 50_000_000_000)
    #expect(played.hostTimes.withLock { $0.allSatisfy { $0 > 0 } })
  }

  @Test("ends with the stream: what is left of it is played, and it does not run any more")
  func streamEnd() throws {
    let unit = FreeRunningOutput(period: 100) { [played] in played.take($0) }
    let countdown = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { countdown.deallocate() }
    countdown.initialize(to: 250)
    try unit.start(
      { context, slice in
        let left = context.assumingMemoryBound(to: Int.self)
        let slice = slice.assumingMemoryBound(to: RenderSlice.self)
        slice.pointee.frameCount = min(slice.pointee.frameCount, left.pointee)
        left.pointee -= slice.pointee.frameCount
      }, context: countdown)
    while unit.isRunning { usleep(1000) }
    #expect(played.left.withLock { $0.count } == 250)
    // It can be started again.
    countdown.pointee = 10
    try unit.start(
      { _, slice in slice.assumingMemoryBound(to: RenderSlice.self).pointee.frameCount = 0 }, context: countdown)
    unit.stop()
    #expect(!unit.isRunning)
  }

  @Test("two engines cannot play on one at once")
  func taken() throws {
    let unit = PacedOutput()
    let first = try engine(on: unit)
    let second = AudioEngine(output: unit)
    try first.start()
    #expect(throws: OutputThreadError.running) { try second.start() }
    #expect(first.isRunning && second.state == .stopped)
    try first.stop()
  }

  @Test("an engine moves to another unit without a frame lost, running, paused and stopped")
  func move() throws {
    let (first, second) = (TestOutput(), TestOutput())
    let engine = try engine(on: first)
    try engine.start()
    #expect(first.render(3) == [0, 1, 2])
    try engine.move(to: second)
    #expect(engine.outputUnit === second && engine.isRunning && !first.isRunning)
    #expect(second.render(2) == [3, 4])
    try engine.pause()
    try engine.move(to: first)
    #expect(engine.state == .paused && !first.isRunning)
    try engine.start()
    #expect(first.render(1) == [5])
    try engine.stop()
    try engine.move(to: second)
    try engine.start()
    #expect(second.render(1) == [0])
  }

  @Test("a unit that does not fit or does not start is refused, and the engine stays where it is")
  func refusedMove() throws {
    let (unit, broken) = (TestOutput(), TestOutput())
    let engine = try engine(on: unit)
    try engine.start()
    #expect(unit.render(1) == [0])
    broken.refuseStart()
    #expect(throws: TestOutput.Failure.self) { try engine.move(to: broken) }
    #expect(throws: EngineError.channelCount(outputNode: 2, player: "test output", channels: 4)) {
      try engine.move(to: TestOutput(channelCount: 4))
    }
    #expect(throws: EngineError.sampleRate(engine: 48000, player: "paced output", rate: 96000)) {
      try engine.move(to: PacedOutput(sampleRate: 96000))
    }
    #expect(engine.outputUnit === unit && engine.isRunning && unit.render(2) == [1, 2])
    try engine.stop()
  }
}
