import AudioGraph
import SynthDSP
import Testing

@Suite("Tap delay")
struct TapDelayNodeTests {
  let delay = TapDelayNode()

  init() {
    delay.feedback.value = 0
    delay.time.value = 400 / 48000
    delay.leftTime.value = 100 / 48000
    delay.rightTime.value = 200 / 48000
    delay.centreLevel.value = 0
  }

  /// 1 at frame 0 on the left, and `right` on the right; else 0.
  private func impulse(right: Float = 1) -> SourceNode {
    SourceNode(format: .stereo(48000)) { request in
      request.buffers.silence()
      guard request.sampleTime == 0 else { return }
      request.buffers.isSilent = false
      (request.buffers[0][0], request.buffers[1][0]) = (1, right)
    }
  }

  // source ─► delay ─► output
  private func render(_ source: SourceNode, _ frames: Int = 1000) throws -> [[Float]] {
    try AudioEngine.chain(source, delay, output: try OutputNode(channelCount: 2)).render(frames, channels: 2)
  }

  @Test("an echo in the middle keeps its side and comes again as the feedback says")
  func centre() throws {
    delay.centreLevel.value = 0.5
    delay.feedback.value = 50
    let samples = try render(impulse(right: 0))
    #expect(samples[0] == (0..<1000).map { $0 == 400 ? 0.5 : $0 == 800 ? 0.25 : 0 })
    #expect(samples[1].allSatisfy { $0 == 0 })
  }

  @Test("the other taps give the sum of both sides on the left and on the right, each after its time")
  func sides() throws {
    delay.leftLevel.value = 1
    delay.rightLevel.value = 0.5
    let samples = try render(impulse())
    let half = Float(0.5).squareRoot()
    for (channel, time, level) in [(0, 100, 1), (1, 200, 0.5)] as [(Int, Int, Float)] {
      for frame in 0..<1000 {
        #expect(abs(samples[channel][frame] - (frame == time ? 2 * half * level : 0)) < 1e-6)
      }
    }
  }

  @Test("the shortest and the longest taps are true to the frame", arguments: [1, 63, 64, 65, 72_000])
  func extremes(frames: Int) throws {
    delay.leftLevel.value = 1
    delay.leftTime.value = Float(frames) / 48000
    let samples = try render(impulse(), 73_000)[0]
    #expect(samples.firstIndex { $0 != 0 } == frames && samples.count { $0 != 0 } == 1)
  }

  @Test("it is silent until it hears something, and again once nothing is left in it")
  func rest() throws {
    delay.centreLevel.value = 1
    let engine = try AudioEngine.chain(impulse(), delay, output: try OutputNode(channelCount: 2))
    #expect(engine.render(64 * 4096, channels: 2)[0].count { $0 != 0 } == 1)
    #expect(engine.render(4096, channels: 2)[0].allSatisfy { $0 == 0 })
  }

  @Test("an input after the first is heard by its share alone, 0 at first", arguments: [0, 0.5, 2] as [Float])
  func shares(share: Float) throws {
    let reverb = ReverbNode()
    for node in [delay, reverb] as [any AudioNode] {
      let (engine, source) = (AudioEngine(sampleRate: 48000), impulse())
      let output = try OutputNode(channelCount: 2)
      try engine.edit { graph in
        for node in [source, node, output] as [any AudioNode] { try graph.attach(node) }
        try graph.connect(source, to: node, toBus: 1)
        try graph.connect(node, to: output)
      }
      delay.centreLevel.value = 1
      (delay.inputShares + reverb.inputShares).forEach { $0.value = 0 }
      delay.inputShares[0].value = share
      reverb.inputShares[0].value = share
      let samples = engine.render(48_000, channels: 2)[0]
      #expect(samples.contains { $0 != 0 } == (share > 0))
      if node === delay { #expect(samples[400] == share) }
    }
  }

  @Test("inputs of different rates are refused")
  func rates() throws {
    let engine = AudioEngine(sampleRate: 48000)
    let sources = [48000.0, 44100].map { rate in SourceNode(format: .stereo(rate)) { $0.buffers.silence() } }
    let output = try OutputNode(channelCount: 2)
    #expect(throws: GraphError.self) {
      try engine.edit { graph in
        for node in sources + [delay, output] as [any AudioNode] { try graph.attach(node) }
        for (bus, source) in sources.enumerated() { try graph.connect(source, to: delay, toBus: bus) }
        try graph.connect(delay, to: output)
      }
    }
  }

  @Test("GS's macros say times, taps and feedback")
  func settings() {
    delay.set(DelayType.panDelay1.setting)
    let values = [delay.time, delay.leftTime, delay.rightTime, delay.leftLevel, delay.centreLevel, delay.rightLevel]
    for (value, wanted) in zip(values.map(\.value), [0.2, 0.1, 0.2, 125.0 / 127, 0, 60.0 / 127] as [Float]) {
      #expect(abs(value - wanted) < 1e-6)
    }
    #expect(abs(delay.feedback.value - 100 * 9 / 64) < 1e-4)
    // No tap is later than a second.
    #expect(DelayType.panRepeat.setting.rightTime == DelayType.panRepeat.setting.time * 31 / 24)
    #expect(DelaySetting.tapTime(1, ratio: DelaySetting.ratio(120)) == 1)
    #expect(Set(DelayType.allCases.map(\.name)).count == 10)
  }
}
