import CRealtime

/// Eight voices' amplitude and resonant low-pass filter, side by side. [audio thread]
///
/// The two-pole filter of FluidSynth 2.3.1, 12 dB an octave: direct form II, whose coefficients go to their targets in
/// a straight line. Source of the coefficients: R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter
/// coefficients". Here its memory is the last value and the last difference, and 1 + a₁ + a₂ and 1 − a₂ take the place
/// of a₁ and a₂: the same filter, whose error in `Float` is below −95 dB from 20 Hz on and up to 40 dB of resonance.
public struct ResonantBank: BitwiseCopyable, Sendable {
  private var amplitude = LaneRamps()
  private var spring = LaneRamps()
  private var damping = LaneRamps()
  private var level = LaneRamps()
  /// The last value of the recursive part, the one before, and how far the one is from the other.
  private var last = SIMD8<Float>(repeating: 0)
  private var lastButOne = SIMD8<Float>(repeating: 0)
  private var difference = SIMD8<Float>(repeating: 0)
  /// Not 0 in the lanes whose memory follows the level.
  private var compensated = SIMD8<Float>(repeating: 0)

  @_noLocks
  public init() {}

  /// Begins a voice: clears the lane's memory; the filter is at `coefficients`, the amplitude at zero.
  @_noLocks
  public mutating func start(_ lane: Int, _ coefficients: ResonantCoefficients) {
    last[lane] = 0
    lastButOne[lane] = 0
    difference[lane] = 0
    compensated[lane] = 0
    amplitude.set(lane, 0)
    spring.set(lane, coefficients.spring)
    damping.set(lane, coefficients.damping)
    level.set(lane, coefficients.level)
  }

  /// The amplitude goes to `target` in a straight line, and is there after so many frames; it stays there only if it is
  /// told then. The first frame still has the present one.
  @_noLocks
  public mutating func aimAmplitude(_ lane: Int, at target: Float, frames: Int) {
    amplitude.aim(lane, at: target, frames: frames)
  }

  /// The filter goes to `target` in the same way.
  ///
  /// Where its level at least doubles or halves, the memory follows it, so that the filter does not ring.
  @_noLocks
  public mutating func aimFilter(_ lane: Int, at target: ResonantCoefficients, frames: Int) {
    let present = level.value[lane]
    let jumps = present > 0.0001 && (target.level < present * 0.5 || target.level > present * 2)
    compensated[lane] = jumps ? 1 : 0
    spring.aim(lane, at: target.spring, frames: frames)
    damping.aim(lane, at: target.damping, frames: frames)
    level.aim(lane, at: target.level, frames: frames)
  }

  /// Takes over a voice of another bank, with its filter's memory.
  @_noLocks
  public mutating func take(_ lane: Int, from other: ResonantBank, _ otherLane: Int) {
    last[lane] = other.last[otherLane]
    lastButOne[lane] = other.lastButOne[otherLane]
    difference[lane] = other.difference[otherLane]
    compensated[lane] = other.compensated[otherLane]
    amplitude.take(lane, from: other.amplitude, otherLane)
    spring.take(lane, from: other.spring, otherLane)
    damping.take(lane, from: other.damping, otherLane)
    level.take(lane, from: other.level, otherLane)
  }

  /// Makes a lane silent that has no voice.
  @_noLocks
  public mutating func clear(_ lane: Int) { take(lane, from: ResonantBank(), lane) }

  /// Shapes a stretch of eight rows of 64 frames in place.
  ///
  /// - Parameters:
  ///   - rows: lane 0's frames, then lane 1's, and so on.
  ///   - first: the first frame of each row.
  @_noLocks
  public mutating func process(_ rows: UnsafeMutablePointer<Float>, first: Int = 0, count: Int) {
    let follows = compensated != SIMD8(repeating: 0)
    for frame in first..<first &+ count {
      var input = SIMD8<Float>(repeating: 0)
      for lane in 0..<8 { input[lane] = rows[lane &* blockSize &+ frame] }
      let output = next(input * amplitude.value)
      for lane in 0..<8 { rows[lane &* blockSize &+ frame] = output[lane] }
      let before = level.value
      amplitude.step()
      spring.step()
      damping.step()
      level.step()
      if follows { compensate(from: before) }
    }
  }

  @_noLocks
  @inline(__always)
  private mutating func next(_ input: SIMD8<Float>) -> SIMD8<Float> {
    difference += (input - spring.value * last) - damping.value * difference
    let present = last + difference
    let output = level.value * ((present + last) + (last + lastButOne))
    lastButOne = last
    last = present
    return output
  }

  /// Scales the memory of the lanes whose level changes a lot.
  @_noLocks
  private mutating func compensate(from before: SIMD8<Float>) {
    for lane in 0..<8 where compensated[lane] != 0 && level.value[lane] > 0.001 {
      let factor = before[lane] / level.value[lane]
      last[lane] *= factor
      lastButOne[lane] *= factor
      difference[lane] *= factor
    }
  }
}

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
  let square = half * half
  let sine = half * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))))
  let cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
  return (2 * sine * cosine, 1 - 2 * sine * sine)
}

/// Eight values, each on a straight line.
private struct LaneRamps: BitwiseCopyable {
  var value = SIMD8<Float>(repeating: 0)
  private var change = SIMD8<Float>(repeating: 0)

  @_noLocks
  init() {}

  @_noLocks
  mutating func set(_ lane: Int, _ value: Float) {
    self.value[lane] = value
    change[lane] = 0
  }

  @_noLocks
  mutating func take(_ lane: Int, from other: LaneRamps, _ otherLane: Int) {
    value[lane] = other.value[otherLane]
    change[lane] = other.change[otherLane]
  }

  @_noLocks
  mutating func aim(_ lane: Int, at target: Float, frames: Int) {
    change[lane] = (target - value[lane]) / Float(Int32(truncatingIfNeeded: frames))
  }

  @_noLocks
  @inline(__always)
  mutating func step() { value += change }
}
