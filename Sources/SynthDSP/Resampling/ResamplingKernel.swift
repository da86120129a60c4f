import CSynthSampling
@preconcurrency import Glibc

/// The low-pass filter that streams are resampled through: a sinc under a Kaiser window.
///
/// It is as wide as frames of the lower rate are far apart: above a step of 1 it is stretched. Of half the lower rate,
/// it is flat up to 0.95 within 0.002 dB, up to 0.9 within 10⁻⁶ dB, and below −140 dB from 1.05 on. So what aliases
/// lands above 0.95. Source of the method: Smith, "Digital Audio Resampling".
enum ResamplingKernel {
  /// In frames to either side.
  static let halfWidth = 88
  /// −6 dB, of half the rate.
  static let cutoff = 0.995
  /// Kaiser's β.
  static let windowShape = 15.0

  /// Rows of weights between two frames of the input at which a quadratic between three of them is 150 dB below the
  /// highest tone.
  static let leastPhaseCount = Int(RESAMPLER_PHASES)

  /// How much wider than at equal rates it is, for that many input frames per output frame.
  static func stretch(step: Double) -> Double { step > 1 ? min(step, 256) : 1 }

  /// The frames of input before and after a frame of output that weigh: a multiple of 8, as vectors are read.
  @_noLocks @_noAllocation
  static func reach(stretch: Double) -> Int {
    let exact = 88 * stretch
    let whole = Int(exact)
    return ((Double(whole) < exact ? whole &+ 1 : whole) &+ 7) / 8 &* 8
  }

  /// What an input frame weighs at a distance from the output, in input frames, of a filter that is stretched.
  static func weight(at distance: Double, stretch: Double) -> Double {
    let place = distance / stretch / Double(halfWidth)
    guard abs(place) < 1 else { return 0 }
    let angle = .pi * cutoff * distance / stretch
    let window = besselI0(windowShape * (1 - place * place).squareRoot()) / peak
    return (angle == 0 ? 1 : sin(angle) / angle) * window * cutoff / stretch
  }

  private static let peak = besselI0(windowShape)
}
