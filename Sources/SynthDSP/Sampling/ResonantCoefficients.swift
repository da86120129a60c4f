import CSynthRealtime

/// What a low-pass filter is set to.
public struct ResonantCoefficients: BitwiseCopyable, Sendable {
  /// 1 + a₁ + a₂, 1 − a₂ and b₀ of the filter's direct form.
  let spring: Float
  let damping: Float
  let level: Float

  /// - Parameters:
  ///   - cutoff: as a part of the sample rate; at most 0.45 is taken, as FluidSynth does.
  ///   - resonance: the gain at the cutoff, 1/√2 for none; all is lowered by the half of it in decibels.
  @_noLocks
  public init(cutoff: Double, resonance: Float) {
    // In `Double`: near half the rate a resonance of 40 dB tells the rounding of a `Float` apart.
    let (sine, cosine) = sineAndCosine(of: max(1e-5, min(cutoff, 0.45)) * Double.pi)
    let alpha = sine * cosine / Double(resonance)
    let share = 1 / (1 + alpha)
    let rise = sine * sine * share
    spring = Float(4 * rise)
    damping = Float(2 * alpha * share)
    level = Float(rise) / realtime_square_root(resonance)
  }
}

/// Of an angle from 0 to π/2, to 10⁻⁹.
@_noLocks
private func sineAndCosine(of angle: Double) -> (sine: Double, cosine: Double) {
  // By the half angle, so that the series are short.
  let half = angle * 0.5
  let x = half * half
  let sine = half * (1 + x * (-1 / 6 + x * (1 / 120 + x * (-1 / 5_040 + x * (1 / 362_880)))))
  let high = 1 / 24 + x * (-1 / 720 + x * (1 / 40_320 + x * (-1 / 3_628_800)))
  let cosine = 1 + x * (-0.5 + x * high)
  return (2 * sine * cosine, 1 - 2 * sine * sine)
}
