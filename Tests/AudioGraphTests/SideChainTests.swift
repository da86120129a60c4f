import AudioGraph
import SynthDSP
import TestSupport
import Testing

@Suite("Side chains")
struct SideChainTests {
  /// A level that is constant but for a range of frames.
  private func level(_ value: Float, _ burst: Float = 0, in frames: Range<Int64> = 0..<0) -> SourceNode {
    SourceNode(format: .mono(48000)) { request in
      for frame in 0..<request.frameCount {
        request.buffers[0][frame] = frames.contains(request.sampleTime + Int64(frame)) ? burst : value
      }
    }
  }

  // sound ─► effect ─► output, side ─► effect
  private func render(
    _ effect: any AudioNode, _ sound: SourceNode, _ side: SourceNode?, _ count: Int
  ) throws -> [Float] {
    let engine = AudioEngine(sampleRate: 48000)
    let output = try OutputNode(channelCount: 1, sourceCount: 1)
    try engine.edit { graph in
      for node in [sound, effect, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(sound, to: effect)
      try graph.connect(effect, to: output)
      guard let side else { return }
      try graph.attach(side)
      try graph.connect(side, to: effect, toBus: 1)
    }
    return engine.render(count, channels: 1)[0]
  }

  @Test("turn a quiet sound down by a loud one, and pass a loud sound beside a quiet one bit for bit")
  func compressor() throws {
    let node = CompressorNode()
    (node.threshold.value, node.ratio.value, node.knee.value) = (-20, 4, 0)
    let down = try render(node, level(0.01), level(1), 24_000)
    // 20 dB above the threshold a ratio of 4 takes 15 dB away.
    #expect(abs(Decibels(amplitude: Double(down[23_999])).value + 55) < 0.01)
    let passed = try render(CompressorNode(), level(1), level(0.01), 4800)
    #expect(passed.allSatisfy { $0 == 1 })
    let own = try render(CompressorNode(), level(1), nil, 24_000)
    #expect(own[23_999] < 0.3)
  }

  @Test("go on listening where the sound itself is silent, so that it comes back turned down")
  func silence() throws {
    let sound = SourceNode(format: .mono(48000)) { request in
      guard request.sampleTime >= 12_800 else { return request.buffers.silence() }
      for frame in 0..<request.frameCount { request.buffers[0][frame] = 0.01 }
    }
    let node = CompressorNode()
    (node.threshold.value, node.ratio.value, node.knee.value) = (-20, 4, 0)
    let samples = try render(node, sound, level(1), 14_080)
    #expect(samples[12_799] == 0)
    #expect(abs(Decibels(amplitude: Double(samples[12_800])).value + 55) < 0.1)
  }

  @Test("open a gate, which is closed without them")
  func gate() throws {
    let node = GateNode()
    (node.threshold.value, node.attack.value, node.hold.value, node.release.value) = (-20, 0, 0.1, 0)
    let samples = try render(node, level(0.01), level(0, 1, in: 4800..<9600), 24_000)
    // Until 0.1 s after the burst; 60 dB below otherwise.
    #expect(samples[4800..<9600].allSatisfy { $0 == 0.01 })
    #expect(samples[9600..<14_400].allSatisfy { $0 == 0.01 })
    for frame in [0, 4799, 14_401, 23_999] { #expect(abs(samples[frame] - 0.000_01) < 1e-8, "\(frame)") }
  }

  @Test("of another rate than the sound are refused, with what to do")
  func rates() throws {
    let side = SourceNode(format: .mono(44100)) { $0.buffers.silence() }
    #expect {
      _ = try render(GateNode(), level(1), side, 64)
    } throws: { error in
      "\(error)".contains("takes a side chain at its sound's 48000 Hz, not 44100 Hz; put a converter before it")
    }
  }
}
