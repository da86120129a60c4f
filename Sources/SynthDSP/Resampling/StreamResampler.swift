import CSynthSampleRate

/// A stream of interleaved frames read at a speed that may change from block to block, by any small amount.
///
/// Windowed sinc interpolation by libsamplerate (`SRC_SINC_MEDIUM_QUALITY`): −121 dB of error, flat up to 0.9 of half
/// the lower rate. Output frame n lies on input position n · step, without a delay; the input has to be known some
/// frames further, though. The corresponding C function is `src_process`.
public struct StreamResampler: ~Copyable {
  private let state: OpaquePointer

  /// Allocates the filter's memory. [control thread]
  public init(channelCount: Int) throws(ResamplerError) {
    // libsamplerate would abort the process for an invalid count.
    guard (1...256).contains(channelCount) else { throw ResamplerError(reason: "\(channelCount) channels") }
    var code: Int32 = 0
    guard let state = src_new(Int32(SRC_SINC_MEDIUM_QUALITY), Int32(clamping: channelCount), &code) else {
      throw ResamplerError(reason: src_strerror(code).map { String(cString: $0) } ?? "unknown error")
    }
    self.state = state
  }

  deinit { src_delete(state) }

  /// How many input frames beyond its position a frame of output needs, at that many input frames per output frame: 48
  /// measured at equal rates, the filter is as many times wider where it has to cut more off.
  public static func lookahead(step: Double) -> Int { Int((48 * max(1, min(step, 256))).rounded(.up)) }

  /// Clears the input: the next input frame is position 0. [audio thread]
  @_noLocks @_noAllocation
  public mutating func reset() { samplerate_reset(state) }

  /// Writes up to `outputCount` frames, `step` input frames apart, as far as the input reaches: how many frames went
  /// in, all of which is not needed again, and how many came out. [audio thread]
  @_noLocks @_noAllocation
  public mutating func process(
    _ input: UnsafePointer<Float>, inputCount: Int, into output: UnsafeMutablePointer<Float>, outputCount: Int,
    step: Double
  ) -> (consumed: Int, produced: Int) {
    var consumed = 0
    let produced = samplerate_process(state, input, inputCount, output, outputCount, 1 / step, &consumed)
    return (consumed, produced)
  }
}

/// A resampler could not be made.
public struct ResamplerError: Error, Equatable, CustomStringConvertible {
  let reason: String

  public var description: String { "making a resampler: \(reason) — give it 1 to 256 channels" }
}
