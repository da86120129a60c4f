@preconcurrency import Glibc
import SynthDSP
import Testing

/// Resamples a mono stream block by block, feeding `inputBlock` frames at a time.
private func resample(_ input: [Float], step: Double, count: Int, inputBlock: Int) throws -> [Float] {
  var resampler = try StreamResampler(channelCount: 1)
  var output = [Float](repeating: 0, count: count)
  var (consumed, produced) = (0, 0)
  while produced < count {
    let available = min(inputBlock, input.count - consumed)
    let (went, came) = input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard let source = input.baseAddress, let target = output.baseAddress else { return (0, 0) }
        let result = resampler.process(
          source + consumed, inputCount: available, into: target + produced, outputCount: min(64, count - produced),
          step: step)
        return (result.consumed, result.produced)
      }
    }
    consumed += went
    produced += came
    if went == 0 && came == 0 { break }
  }
  try #require(produced == count)
  return output
}

/// One cycle in 48 frames, at a frame that need not be whole.
private func wave(_ frame: Double) -> Float { Float(sin(2 * .pi * frame / 48)) }

@Suite("The stream resampler")
struct StreamResamplerTests {
  private let input = (0..<20_000).map { wave(Double($0)) }

  @Test(
    "puts frame n where input frame n times the step is, to -90 dB, however its input is cut",
    arguments: [1.0, 1.0002, 0.9998, 48000.0 / 44100, 44100.0 / 48000], [1, 100, 4096])
  func isExact(step: Double, inputBlock: Int) throws {
    let output = try resample(input, step: step, count: 10_000, inputBlock: inputBlock)
    // What comes before the beginning is silence, which the filter hears for as long as its lookahead is.
    let error = (200..<10_000).map { abs(output[$0] - wave(Double($0) * step)) }.max() ?? 1
    #expect(error < 3e-5)
  }

  @Test(
    "needs to know no more than its lookahead beyond a frame", arguments: [1.0, 0.5, 1.2, 2, 3.7])
  func lookahead(step: Double) throws {
    let count = 100
    let needed = Int(99 * step) + StreamResampler.lookahead(step: step) + 1
    let known = Array(input.prefix(needed))
    let output = try resample(known, step: step, count: count, inputBlock: 7)
    #expect(output.count == count)
  }

  @Test("says what is wrong with a channel count there cannot be")
  func refusesChannelCounts() {
    let error = #expect(throws: ResamplerError.self) { _ = try StreamResampler(channelCount: 0) }
    #expect(error?.description == "making a resampler: 0 channels — give it 1 to 256 channels")
  }
}
