import Testing

@testable import SynthDSP

@Suite("Processors made with numbers that make no sense")
struct NonsenseTests {
  @Test(
    "are made for the nearest that makes sense",
    arguments: [Double.nan, .infinity, -Double.infinity, -1, 0, 1e300, .leastNonzeroMagnitude])
  func made(_ number: Double) throws {
    let integer = Int(exactly: number) ?? (number > 0 ? .max : .min)
    var limiter = LookAheadLimiter(ceiling: Decibels(number), sampleRate: number)
    let block = [Float](repeating: 2, count: 64)
    var (left, right) = ([Float](repeating: 0, count: 64), [Float](repeating: 0, count: 64))
    for _ in 0..<4 { _ = limiter.process(left: block, right: block, leftOutput: &left, rightOutput: &right) }
    #expect((left + right).allSatisfy { abs($0) <= 1 })
    // The longest memories of these are of hundreds of megabytes.
    if !(number > 1e6) {
      _ = MovingDelay(longestDelay: integer)
      _ = EchoLine(longestDelay: integer)
      _ = Stretcher(sampleRate: number)
      _ = ReverbProcessor(sampleRate: number)
      _ = ChorusProcessor(sampleRate: number)
    }
    _ = try StreamResampler(channelCount: 1, step: number)
    _ = StreamResampler.lookahead(step: number)
    #expect(throws: EqualizerError.self) { try EqualizerDesign(curve: .flat, sampleRate: number) }
    _ = PhaseRamp(from: number, to: -number, frameCount: integer)
    #expect(WaveReader.increment(number) > 0)
  }

  @Test("a fold keeps any sample within ±1", arguments: [Float.nan, .infinity, 1e30, -1e30, 3, 1e9])
  func fold(_ sample: Float) {
    for shape in WaveShape.allCases {
      var (input, output) = ([Float](repeating: sample, count: 9), [Float](repeating: 0, count: 8))
      input.withUnsafeMutableBufferPointer { input in
        guard let start = input.baseAddress else { return }
        shape.bend(start + 1, into: &output, count: 8)
      }
      if shape == .fold, sample.isFinite { #expect(output.allSatisfy { abs($0) <= 1.001 }, "\(output)") }
    }
  }
}
