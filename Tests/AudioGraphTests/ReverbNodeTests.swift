import AudioGraph
import Testing

@Suite("Reverb node")
struct ReverbNodeTests {
  // constant ─► reverb ─► output
  @Test("gives a stereo tail for mono and stereo, the same for every slice size", arguments: [1, 2])
  func tail(channels: Int) throws {
    func render(_ sliceSize: Int) throws -> [[Float]] {
      let one = ConstantSource(1, format: AudioFormat(sampleRate: 48000, channelCount: channels))
      let engine = try AudioEngine.chain(one.node, ReverbNode(), output: try OutputNode(channelCount: 2))
      return engine.render(9600, sliceSize: sliceSize)
    }
    let samples = try render(64)
    #expect(samples.allSatisfy { $0.suffix(64).contains { abs($0) > 0.01 } })
    #expect(samples[0] != samples[1])
    #expect(try render(100) == samples)
  }

  @Test("its level is in decibels: 20 dB less are a tenth")
  func level() throws {
    func last(_ level: Float) throws -> Float {
      let one = ConstantSource(1)
      let reverb = ReverbNode()
      reverb.level.value = level
      let engine = try AudioEngine.chain(one.node, reverb, output: try OutputNode(channelCount: 2))
      return engine.render(6400)[0][6399]
    }
    let (loud, soft) = (try last(0), try last(-20))
    #expect(abs(soft - loud / 10) < 1e-6)
  }

  @Test("another type takes effect while it sounds, and is the room it would have been from the start")
  func type() throws {
    let one = ConstantSource(1)
    let reverb = ReverbNode()
    let engine = try AudioEngine.chain(one.node, reverb, output: try OutputNode(channelCount: 2))
    let before = engine.render(6400)[0]
    reverb.type.value = 0
    reverb.time.value = 0.4
    let after = engine.render(96000)[0]
    #expect(after != before)
    #expect(after.allSatisfy { $0.isFinite })
  }

  @Test("silence stays silence")
  func silence() throws {
    let engine = try AudioEngine.chain(silentSource, ReverbNode(), output: try OutputNode(channelCount: 2))
    #expect(engine.render(640).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }
}
