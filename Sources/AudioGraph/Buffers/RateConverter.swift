import SynthDSP

/// Converts the rate of a signal of finite length, whose duration it keeps. Used by one thread.
package final class RateConverter {
  private let oldRate: Double
  private let format: AudioFormat
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
  package init(from oldRate: Double, to newRate: Double, channelCount: Int) throws(ResamplerError) {
    resampler = try StreamResampler(channelCount: channelCount, step: oldRate / newRate)
    self.oldRate = oldRate
    format = AudioFormat(sampleRate: newRate, channelCount: channelCount)
  }

  private var channelCount: Int { format.channelCount }

  /// Input frames per output frame.
  private var step: Double { oldRate / format.sampleRate }

  /// How many frames can be taken.
  package var available: Int { output.count / channelCount }

  /// Appends frames, in as many channels as it was made for.
  package func append(_ buffer: AudioBuffer) {
    let place = input.count
    input += repeatElement(0, count: buffer.frameCount * channelCount)
    for channel in 0..<channelCount {
      let samples = buffer.span(ofChannel: channel)
      for frame in samples.indices { input[place + frame * channelCount + channel] = samples[frame] }
    }
    appended += buffer.frameCount
    convert(atMost: .max)
  }

  /// Ends the input: the filter's remaining frames become available. Later calls have no effect.
  package func end() {
    guard !hasEnded else { return }
    hasEnded = true
    let total = Int((Double(appended) * format.sampleRate / oldRate).rounded(.up))
    let lookahead = StreamResampler.lookahead(step: step)
    while produced < total {
      let before = produced
      input += [Float](repeating: 0, count: lookahead * channelCount)
      convert(atMost: total - produced)
      // The filter answers within two lookaheads; this bounds the loop anyway.
      if produced == before, input.count > 16 * lookahead * channelCount { break }
    }
  }

  /// Takes up to `count` frames; `isLast` if no more follow.
  package func take(_ count: Int) -> (frames: AudioBuffer, isLast: Bool) {
    let taken = min(count, available)
    let frames = AudioBuffer(format: format, frameCount: taken) { output[$1 * channelCount + $0] }
    output.removeFirst(taken * channelCount)
    return (frames, hasEnded && output.isEmpty)
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
