import AudioGraph
@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("Gate node")
struct GateNodeTests {
  let node = GateNode()

  private func render(_ count: Int, _ sample: @escaping @Sendable (Int64) -> Float) throws -> [Float] {
    let source = SourceNode(format: .mono(48000)) { request in
      for frame in 0..<request.frameCount { request.buffers[0][frame] = sample(request.sampleTime + Int64(frame)) }
    }
    let engine = try AudioEngine.chain(source, node, output: try OutputNode(channelCount: 1, sourceCount: 1))
    return engine.render(count, channels: 1)[0]
  }

  @Test("what is loud passes bit for bit once it is open, and what is quiet is turned down by the depth")
  func levels() throws {
    node.threshold.value = -40
    node.depth.value = 20
    let loud = try render(9600) { Float(sin(0.1 * Double($0))) }
    #expect(loud[4800...].elementsEqual((4800..<9600).map { Float(sin(0.1 * Double($0))) }))
    node.reset()
    let quiet = try render(9600) { _ in 0.001 }
    #expect(quiet.allSatisfy { abs($0 - 0.000_1) < 1e-8 })
  }

  @Test("after attack and release 63 % of the way between closed and open are done, in decibels")
  func times() throws {
    (node.threshold.value, node.depth.value, node.hold.value) = (-40, 40, 0)
    (node.attack.value, node.release.value) = (0.01, 0.05)
    let samples = try render(24_000) { $0 < 9600 ? 0.1 : 0.001 }
    func attenuation(_ frame: Int, _ level: Float) -> Double {
      Decibels(amplitude: Double(samples[frame] / level)).value
    }
    #expect(abs(attenuation(480, 0.1) + 40 * exp(-1)) < 0.1)
    #expect(abs(attenuation(9600 + 2400, 0.001) + 40 * (1 - exp(-1))) < 0.1)
  }

  @Test("a sound that swings about the threshold by less than 6 dB neither opens nor closes it again")
  func swings() throws {
    (node.threshold.value, node.attack.value, node.hold.value, node.release.value) = (-40, 0, 0, 0)
    let samples = try render(4800) { $0 % 96 < 48 ? 0.0101 : 0.0055 }
    #expect(samples.enumerated().allSatisfy { $1 == ($0 % 96 < 48 ? 0.0101 : 0.0055) })
    node.reset()
    let below = try render(4800) { $0 % 96 < 48 ? 0.0101 : 0.0045 }
    #expect(below.enumerated().contains { $1 < 0.001 && $0 > 96 })
  }

  @Test("what is no number does not open it, and does not stay in it")
  func nonsense() throws {
    node.threshold.value = -40
    let samples = try render(9600) { $0 < 4800 ? .nan : 0.001 }
    #expect(samples[4864...].allSatisfy { $0.isFinite && $0 < 0.000_01 })
  }
}
