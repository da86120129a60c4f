@preconcurrency import Glibc

/// The sum of the magnitudes of a cascade's impulse response: the most it can make of bounded input.
///
/// No input within ±1 gives output beyond ± this sum, and one input reaches it (the L1 norm, the peak gain of a
/// bounded-input bounded-output system). The largest gain of any frequency is smaller and guarantees nothing.
enum ImpulseNorm {
  /// What a caller leaves above the sum for its truncated tail and for rounding to 32 bits: 9 millionths of a decibel.
  static let margin = 1 + 1e-6

  /// The tail is cut where the slowest pole has decayed to this: −180 dB.
  private static let truncation = 1e-9

  /// The sum for these sections, within one part in ten million; exactly 1 when all are the identity.
  static func sum(of sections: [BiquadSection]) -> Double {
    let active = sections.filter { !$0.isIdentity }
    if active.isEmpty { return 1 }
    let slowest = active.reduce(0) { max($0, $1.poleRadius) }
    // Clamped so that a pole on the circle, which no valid curve gives, cannot make it endless: 21 s at 192 kHz.
    let length = Int(min(max(log(truncation) / log(slowest), 64), 4_000_000))
    let gain = active.reduce(1) { $0 * $1.gain }
    return gain * unscaledSum(of: active.map(\.kernel), length: length)
  }

  private static func unscaledSum(of kernels: [EqualizerCoefficients.Section], length: Int) -> Double {
    var state = kernels.map { (kernel: $0, s1: 0.0, s2: 0.0) }
    return state.withUnsafeMutableBufferPointer { state in
      var sum = 0.0
      for n in 0..<length {
        var x = n == 0 ? 1.0 : 0.0
        for k in state.indices {
          let c = state[k].kernel
          let s1 = state[k].s1
          state[k].s1 = (c.d1 * x + state[k].s2) - c.a1 * s1
          state[k].s2 = c.d2 * x - c.a2 * s1
          x += s1
        }
        sum += abs(x)
      }
      return sum
    }
  }
}

extension BiquadSection {
  /// The distance of the slower pole from the origin.
  fileprivate var poleRadius: Double {
    let discriminant = a1 * a1 / 4 - a2
    return discriminant < 0 ? a2.squareRoot() : abs(a1) / 2 + discriminant.squareRoot()
  }
}
