@preconcurrency import Glibc
import SynthDSP
import Testing

@Suite("The stream resampler")
struct StreamResamplerTests {
  private static let steps = [1.0, 0.5, 147.0 / 160, 160.0 / 147, 1.2, 2, 3.7]
  private let input = tone(0.04, count: 20_000)

  @Test(
    "puts frame n where input frame n times the step is, however its input is cut",
    arguments: [1.0, 1.0002, 0.9998, 48000.0 / 44100, 44100.0 / 48000], [1, 100, 4096])
  func isExact(step: Double, inputBlock: Int) throws {
    let resampler = try StreamResampler(channelCount: 1)
    let output = try resample(input, resampler, count: 5000, inputBlock: inputBlock) { _ in step }
    // What comes before the beginning is silence, which the filter hears for as long as its lookahead is.
    let error = (200..<5000).map { abs(Double(output[$0]) - tone(0.04, at: Double($0) * step)) }.max() ?? 1
    #expect(error < 1e-6)
  }

  @Test("gives the same bits however input and output are cut", arguments: steps, [false, true])
  func blocks(step: Double, isKnown: Bool) throws {
    func output(_ inputBlock: Int, _ outputBlock: Int) throws -> [Float] {
      let resampler =
        isKnown ? try StreamResampler(channelCount: 1, step: step) : try StreamResampler(channelCount: 1)
      return try resample(input, resampler, count: 1000, inputBlock: inputBlock, outputBlock: outputBlock) { _ in step }
    }
    let whole = try output(20_000, 1000)
    #expect(try output(1, 1) == whole)
    #expect(try output(37, 64) == whole)
    #expect(try output(4096, 7) == whole)
  }

  @Test("gives each channel what it gives it alone", arguments: [2, 3, 5], [1.0001, 160.0 / 147, 2.5])
  func channels(count: Int, step: Double) throws {
    let channels = (0..<count).map { tone(0.03 + 0.1 * Double($0), count: 3000) }
    let frames = (0..<3000).flatMap { frame in channels.map { $0[frame] } }
    // Once by tables, once by weights that no table has.
    for known in [step, nil] {
      func resampler(_ count: Int) throws -> StreamResampler {
        guard let known else { return try StreamResampler(channelCount: count) }
        return try StreamResampler(channelCount: count, step: known)
      }
      let together = try resample(frames, try resampler(count), channelCount: count, count: 900) { _ in step }
      for (index, channel) in channels.enumerated() {
        let alone = try resample(channel, try resampler(1), count: 900) { _ in step }
        #expect(alone == (0..<900).map { together[$0 * count + index] })
      }
    }
  }

  @Test("needs to know no more than its lookahead beyond a frame", arguments: steps, [false, true])
  func lookahead(step: Double, isKnown: Bool) throws {
    let count = 100
    let needed = Int(99 * step) + StreamResampler.lookahead(step: step) + 1
    let known = Array(input.prefix(needed))
    let resampler =
      isKnown ? try StreamResampler(channelCount: 1, step: step) : try StreamResampler(channelCount: 1)
    let output = try resample(known, resampler, count: count, inputBlock: 7) { _ in step }
    #expect(output.count == count)
  }

  @Test("begins at any position, and again after a reset")
  func reset() throws {
    var resampler = try StreamResampler(channelCount: 1, step: 2)
    var output = [Float](repeating: 0, count: 400)
    for position in [0, 0.25, 1.75, 0] {
      resampler.reset(position: position)
      _ = resampler.process(input, inputCount: 1200, into: &output, outputCount: 400, step: 2)
      let error = (100..<400).map { abs(Double(output[$0]) - tone(0.04, at: position + 2 * Double($0))) }.max() ?? 1
      #expect(error < 1e-6)
    }
    resampler.reset(position: .nan)
    let silence = [Float](repeating: 0, count: 1200)
    _ = resampler.process(silence, inputCount: 1200, into: &output, outputCount: 400, step: 2)
    #expect(output.allSatisfy { $0 == 0 })
  }

  @Test("hears a sample that is not a number for no longer than its filter")
  func recovers() throws {
    var input = input
    input[1000] = .nan
    input[1001] = .infinity
    let resampler = try StreamResampler(channelCount: 1, step: 160.0 / 147)
    let output = try resample(input, resampler, count: 2000) { _ in 160.0 / 147 }
    let poisoned = output.indices.filter { !output[$0].isFinite }
    let first = Int(904 * 147.0 / 160)
    let last = Int(1097 * 147.0 / 160) + 1
    #expect(poisoned.allSatisfy { (first...last).contains($0) })
    #expect(poisoned.count > 100)
  }

  @Test("takes any step", arguments: [0, -1, 1e-9, 1.0 / 256, 255.9, 256, 1e9, .nan, .infinity], [false, true])
  func extremes(step: Double, isKnown: Bool) throws {
    let resampler =
      isKnown ? try StreamResampler(channelCount: 1, step: step) : try StreamResampler(channelCount: 1)
    let constant = [Float](repeating: 1, count: 80_000)
    let output = try resample(constant, resampler, count: 150) { _ in step }
    // At the beginning the filter hears silence too; at the end, where steps are large, it hears nothing but the tone.
    #expect(output.allSatisfy { $0 > 0.4 && $0 < 1.2 })
    if step > 2 { #expect(output[120...].allSatisfy { abs($0 - 1) < 2e-7 }) }
  }

  @Test("survives leaps of the step")
  func leaps() throws {
    let resampler = try StreamResampler(channelCount: 1)
    let steps = [0.01, 200, 1, 256, 1.0 / 256, 3]
    let output = try resample(
      [Float](repeating: 1, count: 60_000), resampler, count: 384
    ) { steps[$0 / 64] }
    #expect(output.allSatisfy { $0 > 0.4 && $0 < 1.2 })
  }

  @Test("says what is wrong with a channel count there cannot be", arguments: [0, 257])
  func refusesChannelCounts(count: Int) {
    let error = #expect(throws: ResamplerError.self) { _ = try StreamResampler(channelCount: count) }
    #expect(error?.description == "making a resampler: \(count) channels — give it 1 to 256 channels")
  }
}
