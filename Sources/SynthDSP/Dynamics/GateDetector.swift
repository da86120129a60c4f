import CSynthRealtime

/// When a gate is open: from a peak above its threshold on, until none has been within 6 dB of that for the hold.
/// [audio thread]
///
/// How far it is open is followed in decibels, by attack and release, both times in which 63 % of a change are done.
/// The 6 dB keep a sound that swings about the threshold from opening and closing it again and again.
public struct GateDetector: BitwiseCopyable, Sendable {
  /// 0 is closed, 1 open; in between in proportion to decibels.
  public private(set) var openness: Float = 0
  /// For how many frames it stays open without a peak.
  private var held = 0

  @_noLocks
  public init() {}

  /// Whether silence changes nothing any more.
  public var isIdle: Bool {
    @_noLocks get { openness == 0 && held == 0 }
  }

  /// How far it is open at a frame.
  ///
  /// - Parameters:
  ///   - peak: the highest magnitude of all channels.
  ///   - threshold: the magnitude that opens it.
  ///   - hold: in frames.
  ///   - attack: what `CompressorDetector.rest(after:sampleRate:)` gives for it; so for `release`.
  @_noLocks
  @inline(__always)
  public mutating func openness(
    peak: Float, threshold: Float, hold: Int, attack: Float, release: Float
  ) -> Float {
    let isKept = held > 0 && peak >= 0.5 * threshold
    if peak >= threshold || isKept {
      held = hold &+ 1
    } else if held > 0 {
      held &-= 1
    }
    let wanted: Float = held > 0 ? 1 : 0
    openness = wanted + (openness - wanted) * (held > 0 ? attack : release)
    // It arrives in the end, so that an open gate passes sound bit for bit and a closed one rests.
    if abs(openness - wanted) < 1e-5 { openness = wanted }
    return openness
  }
}
