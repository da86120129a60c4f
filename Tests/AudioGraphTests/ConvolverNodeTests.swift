import AudioGraph
@preconcurrency import Glibc
import Testing

@Suite("Convolver node")
struct ConvolverNodeTests {
  /// A unit impulse at frame 100, on the left if stereo.
  private func impulse(_ format: AudioFormat) -> SourceNode {
    SourceNode(format: format) { request in
      for channel in 0..<request.buffers.channelCount {
        for frame in 0..<request.frameCount {
          request.buffers[channel][frame] = channel == 0 && request.sampleTime + Int64(frame) == 100 ? 1 : 0
        }
      }
    }
  }

  private func render(_ node: ConvolverNode, _ format: AudioFormat, _ count: Int = 8192) throws -> [[Float]] {
    let source = impulse(format)
    let channels = node.response.channelCount == 1 ? format.channelCount : 2
    let output = try OutputNode(channelCount: channels, sourceCount: channels)
    return try AudioEngine.chain(source, node, output: output).render(count, channels: channels)
  }

  private func expect(_ samples: [Float], _ response: [Float], _ comment: Comment) {
    for (frame, sample) in samples.enumerated() {
      let expected = (100..<100 + response.count).contains(frame) ? response[frame - 100] : 0
      if abs(sample - expected) > 1e-5 {
        Issue.record("frame \(frame): \(sample) in place of \(expected), \(comment)")
        return
      }
    }
  }

  private func noise(_ count: Int, seed: UInt32) -> [Float] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state)) / 0x1p31
    }
  }

  private func normalized(_ response: [Float]) -> [Float] {
    let energy = response.reduce(0) { $0 + $1 * $1 }
    return response.map { $0 / energy.squareRoot() }
  }

  @Test("sounds as its response, without a delay, as loud as noise is behind it", arguments: [1, 500, 5000])
  func mono(length: Int) throws {
    let response = noise(length, seed: 1)
    let node = try ConvolverNode(response: AudioBuffer([response], sampleRate: 48000))
    #expect(node.latency == 0)
    expect(try render(node, .mono(48000))[0], normalized(response), "\(length)")
  }

  @Test("has a response for each channel, and makes mono stereo")
  func stereo() throws {
    let (left, right) = (noise(3000, seed: 1), noise(3000, seed: 2).map { $0 * 0.1 })
    let node = try ConvolverNode(response: AudioBuffer([left, right], sampleRate: 48000))
    let energy = left.reduce(0) { $0 + $1 * $1 }
    expect(try render(node, .mono(48000))[1], right.map { $0 / energy.squareRoot() }, "mono")
    let sound = try render(node, .stereo(48000))
    expect(sound[0], normalized(left), "left")
    expect(sound[1], [], "right hears nothing of the left channel")
  }

  @Test("has four responses, which lead across")
  func across() throws {
    let responses = (1...4).map { noise(2500, seed: UInt32($0)) }
    let node = try ConvolverNode(response: AudioBuffer(responses, sampleRate: 48000))
    let sound = try render(node, .stereo(48000))
    let energies = responses.map { $0.reduce(0) { $0 + $1 * $1 } }
    let energy = max(energies[0] + energies[2], energies[1] + energies[3])
    expect(sound[1], responses[1].map { $0 / energy.squareRoot() }, "left to right")
  }

  @Test("mixes dry and wet at the same time, at its level")
  func mix() throws {
    let response = noise(200, seed: 3)
    let node = try ConvolverNode(response: AudioBuffer([response], sampleRate: 48000))
    node.mix.value = 25
    node.level.value = -20
    var expected = normalized(response).map { $0 * 0.025 }
    expected[0] += 0.075
    expect(try render(node, .mono(48000))[0], expected, "a quarter")
  }

  @Test("is converted to the rate of the sound")
  func rate() throws {
    // A second of a sine of 1 kHz, at another rate: the answer to an impulse is that sine.
    let response = (0..<24000).map { Float(sin(2 * Double.pi * 1000 * Double($0) / 24000)) }
    let node = try ConvolverNode(response: AudioBuffer([response], sampleRate: 24000))
    let sound = try render(node, .mono(48000), 24576)[0]
    for frame in 2000..<20000 {
      let expected = Float(sin(2 * Double.pi * 1000 * Double(frame - 100) / 48000)) / Float(24000).squareRoot()
      guard abs(sound[frame] - expected) > 1e-5 else { continue }
      Issue.record("frame \(frame): \(sound[frame]) in place of \(expected)")
      return
    }
  }

  @Test("falls silent after its response, and begins again as new")
  func rest() throws {
    let response = noise(5000, seed: 5)
    let node = try ConvolverNode(response: AudioBuffer([response], sampleRate: 48000))
    let period = 64 * 200
    let source = SourceNode(format: .mono(48000)) { request in
      let start = Int(request.sampleTime)
      guard (start..<start + request.frameCount).contains(where: { $0 % period == 0 }) else {
        return request.buffers.silence()
      }
      for frame in 0..<request.frameCount { request.buffers[0][frame] = (start + frame) % period == 0 ? 1 : 0 }
    }
    let output = try OutputNode(channelCount: 1, sourceCount: 1)
    let sound = try AudioEngine.chain(source, node, output: output).render(3 * period, channels: 1)[0]
    for round in 0..<3 {
      let answer = sound[round * period..<round * period + 5000]
      #expect(zip(answer, normalized(response)).allSatisfy { abs($0 - $1) < 1e-5 })
    }
  }

  @Test("refuses responses that are none")
  func refusals() {
    func make(_ channels: [[Float]]) throws {
      _ = try ConvolverNode(response: AudioBuffer(channels, sampleRate: 48000))
    }
    #expect(throws: ConvolverError.channelCount(3)) { try make([[1], [1], [1]]) }
    #expect(throws: ConvolverError.notFinite) { try make([[1, .infinity]]) }
    #expect(throws: ConvolverError.silent) { try make([[0, 0]]) }
    #expect(throws: ConvolverError.silent) { try make([[]]) }
    #expect(
      "\(ConvolverError.channelCount(3))"
        == "making a convolver of an impulse response: it has 3 channels; give one of 1, 2 or 4")
  }
}
