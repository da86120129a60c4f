/// What a compressor takes away at a level that lasts: nothing below its threshold, `1 − 1/ratio` of what is above it,
/// and a parabola between the two where there is a knee.
///
/// Source of the method: D. Giannoulis, M. Massberg, J. D. Reiss, "Digital dynamic range compressor design: a tutorial
/// and analysis", J. Audio Eng. Soc. 60 (2012), equation 4.
public struct CompressorCurve: BitwiseCopyable, Sendable {
  /// In decibels relative to full scale.
  private let threshold: Float
  /// Decibels taken away for each decibel above the threshold.
  private let slope: Float
  /// In decibels, half of it on either side of the threshold.
  private let knee: Float

  /// - Parameter ratio: decibels in for a decibel out, at least 1.
  @_noLocks
  public init(threshold: Float, ratio: Float, knee: Float) {
    self.threshold = threshold
    slope = 1 - 1 / ratio
    self.knee = knee
  }

  /// Decibels to be taken away at a level in decibels, 0 or more. [any thread]
  @_noLocks
  @inline(__always)
  public func reduction(at level: Float) -> Float {
    let excess = level - threshold
    if 2 * excess <= -knee { return 0 }
    if 2 * excess >= knee { return slope * excess }
    let place = excess + knee / 2
    return slope * place * place / (2 * knee)
  }
}
