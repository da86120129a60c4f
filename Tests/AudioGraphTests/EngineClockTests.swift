import AudioGraph
import SynthRealtime
import TestSupport
import Testing

@Suite("An engine's clock", .timeLimit(.minutes(1)))
struct EngineClockTests {
  private func engine(_ unit: (any OutputUnit)? = nil) throws -> AudioEngine {
    let engine = unit.map { AudioEngine(output: $0) } ?? AudioEngine(sampleRate: 48000)
    let (one, output) = (ConstantSource(1).node, try OutputNode(channelCount: 2))
    try engine.edit { graph in
      try graph.attach(one)
      try graph.attach(output)
      try graph.connect(one, to: output)
    }
    return engine
  }

  @Test("tells the first frame that the output has not got, and is at 0 again after a reset")
  func sampleTime() throws {
    let engine = try engine()
    #expect(engine.sampleTime == 0)
    for (count, time) in [(1, 1), (100, 101), (64, 165), (0, 165), (100_000, 100_165)] {
      _ = try engine.render(frameCount: count)
      #expect(engine.sampleTime == Int64(time))
    }
    try engine.reset()
    #expect(engine.sampleTime == 0)
    _ = try engine.render(frameCount: 100)
    #expect(engine.sampleTime == 100)
  }

  @Test("stands still in a pause, and is at 0 again after a stop")
  func lifeCycle() throws {
    let unit = TestOutput()
    let engine = try engine(unit)
    try engine.start()
    _ = unit.render(100)
    try engine.pause()
    #expect(engine.sampleTime == 100)
    try engine.start()
    _ = unit.render(100)
    #expect(engine.sampleTime == 200)
    try engine.stop()
    #expect(engine.sampleTime == 0)
  }

  @Test("gives each frame its host time and back, from the slice that was asked for last")
  func hostTime() throws {
    let engine = try engine()
    #expect(engine.sampleTime(atHostTime: 5) == nil && engine.hostTime(atSampleTime: 5) == nil)
    let buffer = SampleBuffer(channelCount: 2, frameCapacity: 480)
    _ = try engine.render(frameCount: 1000)
    #expect(engine.sampleTime(atHostTime: 5) == nil)
    // 480 frames are 10 ms.
    try engine.render(buffer.slice(frameCount: 480, hostTime: 1_000_000_000))
    #expect(engine.sampleTime(atHostTime: 1_000_000_000) == 1000)
    #expect(engine.sampleTime(atHostTime: 1_010_000_000) == 1480)
    #expect(engine.sampleTime(atHostTime: 990_000_000) == 520)
    #expect(engine.hostTime(atSampleTime: 1480) == 1_010_000_000)
    #expect(engine.hostTime(atSampleTime: 520) == 990_000_000)
    // The next one is 1 ms late.
    try engine.render(buffer.slice(frameCount: 480, hostTime: 1_011_000_000))
    #expect(engine.sampleTime(atHostTime: 1_011_000_000) == 1480)
    try engine.reset()
    #expect(engine.sampleTime(atHostTime: 1_011_000_000) == nil)
  }

  @Test("takes seconds and beats as lengths from the present on, to the nearest frame")
  func lengths() throws {
    let engine = try engine()
    _ = try engine.render(frameCount: 100)
    #expect(engine.sampleTime(after: .seconds(0.5)) == 24100)
    #expect(engine.sampleTime(after: .beats(4, tempo: 120)) == 96100)
    #expect(engine.sampleTime(after: .microseconds(32)) == 102)
    #expect(engine.sampleTime(after: .milliseconds(-1)) == 52)
    _ = engine.sampleTime(after: .seconds(Double.greatestFiniteMagnitude / 1e292))
  }

  // inner at 48 kHz ─► outer
  @Test("of an engine within another goes with that, and gives its host times")
  func nested() throws {
    let inner = try engine()
    let node = try GraphNode(inner)
    let outer = try AudioEngine.chain(node, output: try OutputNode(channelCount: 2))
    let buffer = SampleBuffer(channelCount: 2, frameCapacity: 640)
    for hostTime in [1_000_000_000, 1_013_333_333] as [UInt64] {
      try outer.render(buffer.slice(frameCount: 640, hostTime: hostTime))
    }
    #expect(outer.sampleTime == 1280 && inner.sampleTime == 1280)
    #expect(outer.sampleTime(atHostTime: 1_013_333_333) == 640 && inner.sampleTime(atHostTime: 1_013_333_333) == 640)
  }

  @Test("is read whole while it is written")
  func torn() async throws {
    let unit = FreeRunningOutput(period: 1)
    let engine = try engine(unit)
    try engine.start()
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          var last: Int64 = 0
          for _ in 0..<20_000 {
            let time = engine.sampleTime
            #expect(time >= last)
            last = time
            // A slice is asked for at its first frame, so the present is at it or beyond, and never before its end by
            // more than the slice.
            if let asked = engine.sampleTime(atHostTime: HostClock.now) { #expect(asked >= time - 1) }
          }
        }
      }
    }
    try engine.stop()
    #expect(engine.hostTime(atSampleTime: 0) == nil)
  }
}
