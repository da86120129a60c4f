import AudioGraph
import Glibc
import SynthDSP
import Testing

@Suite("The pitch shift", .timeLimit(.minutes(2)))
struct PitchShiftNodeTests {
  private let latency = PitchShiftNode.latency(sampleRate: 48000)

  /// A sine of 441 Hz, or noise, through the node.
  private func render(
    _ count: Int, cents: Float, channelCount: Int = 2, _ sample: @escaping @Sendable (Int64) -> Float
  ) throws -> [Float] {
    let format = AudioFormat(sampleRate: 48000, channelCount: channelCount)
    let source = SourceNode(format: format) { request in
      for channel in 0..<channelCount {
        for frame in 0..<request.frameCount {
          request.buffers[channel][frame] = sample(request.sampleTime + Int64(frame))
        }
      }
    }
    let shift = PitchShiftNode()
    shift.pitch.value = cents
    let engine = try AudioEngine.chain(source, shift, output: try OutputNode(channelCount: 2))
    #expect(engine.latency == latency && (4800...6400).contains(latency))
    return engine.render(count)[0]
  }

  private func frequency(_ samples: ArraySlice<Float>) -> Double {
    let places = zip(samples.indices, samples.indices.dropFirst()).compactMap { before, after -> Double? in
      guard samples[before] < 0, samples[after] >= 0 else { return nil }
      return Double(before) + Double(samples[before] / (samples[before] - samples[after]))
    }
    return 48000 * Double(places.count - 1) / ((places.last ?? 0) - (places.first ?? 0))
  }

  @Test("passes bit for bit at pitch 0, as late as it says", arguments: [1, 2])
  func null(channelCount: Int) throws {
    let noise: @Sendable (Int64) -> Float = { Float(($0 &* 7919) % 1009) / 1009 - 0.5 }
    let output = try render(50_000, cents: 0, channelCount: channelCount, noise)
    #expect(output[..<latency].allSatisfy { $0 == 0 })
    #expect(Array(output[latency...]) == (0..<Int64(50_000 - latency)).map(noise))
  }

  @Test("moves a tone by the interval, within two cents", arguments: [-2400, -700, -10, 50, 200, 1200, 2400])
  func interval(cents: Float) throws {
    let output = try render(120_000, cents: cents) { Float(0.5 * sin(2 * .pi * 441 * Double($0) / 48000)) }
    let measured = frequency(output[(latency + 4800)..<115_000])
    #expect(abs(1200 * log2(measured / 441) - Double(cents)) < 2)
    let peaks = stride(from: latency + 4800, to: 110_000, by: 960).map { output[$0..<$0 + 960].map(abs).max() ?? 0 }
    #expect((peaks.min() ?? 0) > 0.47)
  }

  @Test("falls silent behind its input")
  func silence() throws {
    let output = try render(60_000, cents: 500) { $0 < 20_000 ? 0.25 : 0 }
    #expect(output[latency + 15_000] != 0 && output[45_000...].allSatisfy { $0 == 0 })
  }
}
