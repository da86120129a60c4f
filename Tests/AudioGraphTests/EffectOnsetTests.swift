import AudioGraph
@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("The onset of send effects: a pre-delay and a low pass")
struct EffectOnsetTests {
  /// What a delay of one echo in the middle gives for an impulse, with an onset.
  private func echo(_ set: (TapDelayNode) -> Void = { _ in }) throws -> [Float] {
    let delay = TapDelayNode()
    (delay.leftLevel.value, delay.rightLevel.value, delay.feedback.value) = (0, 0, 0)
    (delay.centreLevel.value, delay.time.value) = (1, 0.01)
    set(delay)
    return try response(of: delay)
  }

  private func response(of node: any AudioNode) throws -> [Float] {
    let source = SourceNode(format: .stereo(48000)) { request in
      request.buffers.silence()
      guard request.sampleTime == 0 else { return }
      request.buffers.isSilent = false
      (request.buffers[0][0], request.buffers[1][0]) = (1, 1)
    }
    return try AudioEngine.chain(source, node, output: try OutputNode(channelCount: 2)).render(9600, channels: 2)[0]
  }

  @Test("a pre-delay puts the echo off by as many frames, and changes no bit of it")
  func preDelay() throws {
    let plain = try echo()
    let late = try echo { $0.preDelay.value = 0.1 }
    #expect(plain[480] == 1 && plain.count { $0 != 0 } == 1)
    #expect(late[480 + 4800] == 1 && late.count { $0 != 0 } == 1)
  }

  @Test("a low pass has 3 dB less at its cutoff, and the same sum")
  func highCut() throws {
    let response = try echo { $0.highCut.value = 1000 }
    #expect(abs(response.reduce(0, +) - 1) < 1e-4)
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in response.enumerated() {
      let angle = 2 * Double.pi * 1000 / 48000 * Double(frame)
      real += Double(sample) * cos(angle)
      imaginary += Double(sample) * sin(angle)
    }
    #expect(abs(real * real + imaginary * imaginary - 0.5) < 0.01)
  }

  @Test("reverb and chorus have it, too")
  func others() throws {
    func first(_ node: any AudioNode, preDelay seconds: Float) throws -> Int {
      try #require(node.parameters.first { $0.name == "pre-delay" }).value = seconds
      return try #require(try response(of: node).firstIndex { $0 != 0 })
    }
    #expect(try first(ReverbNode(), preDelay: 0.05) == first(ReverbNode(), preDelay: 0) + 2400)
    // Its delay swings by less than 10 ms.
    let chorus = try first(ChorusNode(), preDelay: 0.05) - first(ChorusNode(), preDelay: 0)
    #expect(abs(chorus - 2400) < 480)
  }
}
