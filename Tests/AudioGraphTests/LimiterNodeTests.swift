import AudioGraph
import SynthDSP
import Testing

@Suite("Limiter node")
struct LimiterNodeTests {
  // constant ─► limiter ─► output
  @Test("what is below the ceiling passes bit for bit after 64 frames, and nothing is counted", arguments: [1, 2])
  func transparent(channels: Int) throws {
    let half = ConstantSource(-0.5, format: AudioFormat(sampleRate: 48000, channelCount: channels))
    let limiter = LimiterNode()
    let engine = try AudioEngine.chain(
      half.node, limiter, output: try OutputNode(channelCount: channels, sourceCount: channels))
    let samples = engine.render(640, channels: channels)
    for (channel, samples) in samples.enumerated() {
      #expect(samples[..<LimiterNode.latency].allSatisfy { $0 == 0 })
      #expect(samples[LimiterNode.latency...].allSatisfy { $0 == -0.5 + Float(channel) })
    }
    #expect(limiter.meter.limitedFrameCount == 0)
    #expect(limiter.meter.takeReduction() == 0)
  }

  @Test("what is above is brought below the ceiling, and the meter tells by how much, once")
  func limited() throws {
    let two = ConstantSource(2, format: .mono(48000))
    let limiter = LimiterNode(ceiling: -6)
    let engine = try AudioEngine.chain(two.node, limiter, output: try OutputNode(channelCount: 1, sourceCount: 1))
    let samples = engine.render(6400, channels: 1)[0]
    #expect(samples.allSatisfy { $0 <= Float(Decibels(-6).amplitude) })
    #expect(limiter.meter.limitedFrameCount > 6000)
    // 6.02 dB above full scale, 6 dB below it the ceiling, 0.6 below that the threshold: 12.6 dB. The onset, a step,
    // rises by another 1.2 dB between its samples.
    #expect((12.6...13.9).contains(limiter.meter.takeReduction()))
    #expect(limiter.meter.takeReduction() == 0)
  }

  @Test("the same audio comes out for every slice size", arguments: [1, 7, 100, 441])
  func sliceSizes(sliceSize: Int) throws {
    func render(_ sliceSize: Int) throws -> [[Float]] {
      let counting = CountingSource()
      let engine = try AudioEngine.chain(counting.node, LimiterNode(), output: try OutputNode(channelCount: 2))
      return engine.render(2000, sliceSize: sliceSize)
    }
    #expect(try render(sliceSize) == render(64))
  }

  @Test("silence stays silence")
  func silence() throws {
    let engine = try AudioEngine.chain(silentSource, LimiterNode(), output: try OutputNode(channelCount: 2))
    #expect(engine.render(640).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }
}
