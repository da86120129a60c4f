import SynthDSP

/// Converts the rate of a signal of finite length, whose duration it keeps. Used by one thread.
final class RateConverter {
  private let channelCount: Int
  private let oldRate: Double
  private let newRate: Double
  private var resampler: StreamResampler
  /// Interleaved frames that are not consumed yet.
  private var input: [Float] = []
  /// Interleaved frames that are not taken yet.
  private var output: [Float] = []
  private var appended = 0
  private var produced = 0
  private var hasEnded = false

  /// - Parameters:
  ///   - oldRate: the input's rate, in hertz.
  ///   - newRate: the output's rate, in hertz.
  init(from oldRate: Double, to newRate: Double, channelCount: Int) throws(ResamplerError) {
    resampler = try StreamResampler(channelCount: channelCount)
    self.oldRate = oldRate
    self.newRate = newRate
    self.channelCount = channelCount
  }

  /// Input frames per output frame.
  private var step: Double { oldRate / newRate }

  /// How many frames can be taken.
  var available: Int { output.count / channelCount }

  /// Appends planar frames.
  func append(_ channels: [[Float]]) {
    let frameCount = channels.first?.count ?? 0
    for frame in 0..<frameCount { for channel in channels { input.append(channel[frame]) } }
    appended += frameCount
    convert(atMost: .max)
  }

  /// Ends the input: the filter's remaining frames become available. Later calls have no effect.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    let total = Int((Double(appended) * newRate / oldRate).rounded(.up))
    let lookahead = StreamResampler.lookahead(step: step)
    while produced < total {
      let before = produced
      input += [Float](repeating: 0, count: lookahead * channelCount)
      convert(atMost: total - produced)
      // The filter answers within two lookaheads; this bounds the loop anyway.
      if produced == before, input.count > 16 * lookahead * channelCount { break }
    }
  }

  /// Takes up to `count` frames, planar; `isLast` if no more follow.
  func take(_ count: Int) -> (channels: [[Float]], isLast: Bool) {
    let taken = min(count, available)
    let channels = (0..<channelCount).map { channel in
      (0..<taken).map { output[$0 * channelCount + channel] }
    }
    output.removeFirst(taken * channelCount)
    return (channels, hasEnded && output.isEmpty)
  }

  private func convert(atMost limit: Int) {
    var consumed = 0
    var block = [Float](repeating: 0, count: 1024 * channelCount)
    var remaining = limit
    while remaining > 0 {
      let result = input.withUnsafeBufferPointer { input in
        guard let first = input.baseAddress else { return (consumed: 0, produced: 0) }
        return resampler.process(
          first + consumed * channelCount, inputCount: input.count / channelCount - consumed, into: &block,
          outputCount: min(1024, remaining), step: step)
      }
      consumed += result.consumed
      produced += result.produced
      remaining -= result.produced
      output += block.prefix(result.produced * channelCount)
      if result.produced == 0 { break }
    }
    input.removeFirst(consumed * channelCount)
  }
}
