import CSynthSampling

/// Eight voices' amplitude and resonant low-pass filter, side by side. [audio thread]
///
/// The two-pole filter of FluidSynth 2.3.1, 12 dB an octave: direct form II, whose coefficients go to their targets in
/// a straight line. Source of the coefficients: R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter
/// coefficients". Here its memory is the last value and the last difference, and 1 + a₁ + a₂ and 1 − a₂ take the place
/// of a₁ and a₂: the same filter, whose error in `Float` is below −95 dB from 20 Hz on and up to 40 dB of resonance.
public struct ResonantBank: BitwiseCopyable, Sendable {
  // In the order of `sampling_bank`. No vectors, of which Swift would write all lanes for one.
  private var amplitude = InlineArray<8, Float>(repeating: 0)
  private var amplitudeStep = InlineArray<8, Float>(repeating: 0)
  private var spring = InlineArray<8, Float>(repeating: 0)
  private var springStep = InlineArray<8, Float>(repeating: 0)
  private var damping = InlineArray<8, Float>(repeating: 0)
  private var dampingStep = InlineArray<8, Float>(repeating: 0)
  private var level = InlineArray<8, Float>(repeating: 0)
  private var levelStep = InlineArray<8, Float>(repeating: 0)
  private var last = InlineArray<8, Float>(repeating: 0)
  private var lastButOne = InlineArray<8, Float>(repeating: 0)
  private var difference = InlineArray<8, Float>(repeating: 0)

  @_noLocks
  public init() {}

  /// Begins a voice: clears the lane's memory; the filter is at `coefficients`, the amplitude at zero.
  @_noLocks
  public mutating func start(_ lane: Int, _ coefficients: ResonantCoefficients) {
    last[lane] = 0
    lastButOne[lane] = 0
    difference[lane] = 0
    amplitude[lane] = 0
    amplitudeStep[lane] = 0
    spring[lane] = coefficients.spring
    springStep[lane] = 0
    damping[lane] = coefficients.damping
    dampingStep[lane] = 0
    level[lane] = coefficients.level
    levelStep[lane] = 0
  }

  /// The amplitude goes to `target` in a straight line, and is there after so many frames; it stays there only if it is
  /// told then. The first frame still has the present one.
  @_noLocks
  public mutating func aimAmplitude(_ lane: Int, at target: Float, frames: Int) {
    amplitudeStep[lane] = (target - amplitude[lane]) / Float(Int32(truncatingIfNeeded: frames))
  }

  /// The filter goes to `target` in the same way.
  @_noLocks
  public mutating func aimFilter(_ lane: Int, at target: ResonantCoefficients, frames: Int) {
    let share = 1 / Float(Int32(truncatingIfNeeded: frames))
    springStep[lane] = (target.spring - spring[lane]) * share
    dampingStep[lane] = (target.damping - damping[lane]) * share
    levelStep[lane] = (target.level - level[lane]) * share
  }

  /// The filter stays where it is.
  @_noLocks
  public mutating func holdFilter(_ lane: Int) {
    springStep[lane] = 0
    dampingStep[lane] = 0
    levelStep[lane] = 0
  }

  /// Takes over a voice of another bank, with its filter's memory.
  @_noLocks
  public mutating func take(_ lane: Int, from other: ResonantBank, _ otherLane: Int) {
    amplitude[lane] = other.amplitude[otherLane]
    amplitudeStep[lane] = other.amplitudeStep[otherLane]
    spring[lane] = other.spring[otherLane]
    springStep[lane] = other.springStep[otherLane]
    damping[lane] = other.damping[otherLane]
    dampingStep[lane] = other.dampingStep[otherLane]
    level[lane] = other.level[otherLane]
    levelStep[lane] = other.levelStep[otherLane]
    last[lane] = other.last[otherLane]
    lastButOne[lane] = other.lastButOne[otherLane]
    difference[lane] = other.difference[otherLane]
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
    sampling_shape(&self, rows + first, count)
  }

  /// Shapes a stretch of the sixteen rows of two banks. A filter's frame waits for the one before: two banks at once
  /// take 530 ns, one 405.
  @_noLocks
  public static func processTwo(
    _ banks: UnsafeMutablePointer<ResonantBank>, _ rows: UnsafeMutablePointer<Float>, first: Int = 0, count: Int
  ) {
    sampling_shape_two(banks, rows + first, count)
  }
}
