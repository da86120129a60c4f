import SynthDSP

/// The way of a scheduled change from the value before it to its own, in what kernels calculate with: a level's
/// amplitude, not its decibels.
public enum ParameterCurve: BitwiseCopyable, Sendable, Hashable, CaseIterable {
  /// In a straight line.
  case linear
  /// By equal factors in equal times: so many decibels or octaves a second. In place of 0 it begins or ends at a
  /// millionth of the other value, 120 dB below it. Between values of different sign it is straight.
  case exponential
  /// Slowly at both ends, fastest in the middle: 3p² − 2p³.
  case sCurve

  var isStraight: Bool {
    @_noLocks get { if case .linear = self { true } else { false } }
  }

  /// - Parameter part: of the way that is done, 0 to 1.
  @_noLocks
  func value(from start: Double, to end: Double, at part: Double) -> Double {
    switch self {
    case .linear: return start + (end - start) * part
    case .sCurve: return start + (end - start) * (part * part * (3 - 2 * part))
    case .exponential:
      guard start * end > 0 || (start == 0) != (end == 0) else { return start + (end - start) * part }
      let first = start == 0 ? end * 1e-6 : start
      let last = end == 0 ? start * 1e-6 : end
      return first * exponential2(part * logarithm2(last / first))
    }
  }
}
