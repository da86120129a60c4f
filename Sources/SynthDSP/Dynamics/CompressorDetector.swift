import CSynthRealtime

/// From how loud something is to what is taken away: a level in decibels through the curve, which then is followed with
/// attack and release. [audio thread]
///
/// The smooth branching peak detector after the gain computer, in decibels, as the tutorial that `CompressorCurve`
/// names recommends (its figure 7c, equation 16): both times are those in which 63 % of a change are done.
public struct CompressorDetector: BitwiseCopyable, Sendable {
  /// Decibels that are taken away now.
  public private(set) var reduction: Float = 0
  /// The mean of the squares, for `rms`.
  private var meanSquare: Float = 0
  /// The share of a mean of squares over 10 ms that a sample makes up.
  private let meanShare: Float

  /// - Parameter sampleRate: in hertz.
  @_noLocks
  public init(sampleRate: Float) {
    meanShare = 1 - Self.rest(after: 0.01, sampleRate: sampleRate)
  }

  /// The share of a change that is left after a frame, for a time in seconds; 0 for a time of 0.
  @_noLocks
  public static func rest(after time: Float, sampleRate: Float) -> Float {
    time > 0 ? exponential2(-1.442_695 / (time * sampleRate)) : 0
  }

  /// Whether silence changes nothing any more.
  public var isIdle: Bool {
    @_noLocks get { reduction == 0 && meanSquare < 1e-20 }
  }

  /// The amplitude that is left of a frame: 1 where nothing is taken away.
  ///
  /// - Parameters:
  ///   - peak: the highest magnitude of all channels.
  ///   - usesMean: whether the root of the mean square counts, and not the peak.
  ///   - attack: what `rest(after:sampleRate:)` gives for it; so for `release`.
  @_noLocks
  @inline(__always)
  public mutating func gain(
    peak: Float, usesMean: Bool, curve: CompressorCurve, attack: Float, release: Float
  ) -> Float {
    let square = min(peak * peak, 1e12)  // an infinite mean would stay
    meanSquare += (square - meanSquare) * meanShare
    let power = usesMean ? meanSquare : square
    // 10 log₁₀ of it; below −200 dB nothing is compressed.
    let level = power > 1e-20 ? 3.010_3 * logarithm2(power) : -200
    let wanted = curve.reduction(at: level)
    let rest = wanted > reduction ? attack : release
    reduction = wanted + (reduction - wanted) * rest
    // A thousandth of a decibel is over, so that what is not compressed passes bit for bit again.
    if wanted == 0, reduction < 0.001 { reduction = 0 }
    return reduction == 0 ? 1 : exponential2(reduction * -0.166_096_4)
  }
}
