/// Eight resonant low-pass filters side by side, 12 dB an octave: the state-variable filter without a delay in its
/// loop.
///
/// Source of the method: A. Simper, "Solving the continuous SVF equations using trapezoidal integration" (2013). Its
/// response is the analogue prototype's, warped by the bilinear transform. [audio thread]
public struct LowPassBank: BitwiseCopyable, Sendable {
  private var first = SIMD8<Float>(repeating: 0)
  private var second = SIMD8<Float>(repeating: 0)
  private var coefficients = LowPassCoefficients()

  @_noLocks
  public init() {}

  /// Clears a lane's memory. Its next block begins with the coefficients it ends with.
  @_noLocks
  public mutating func start(_ lane: Int, _ target: LowPassCoefficients) {
    first[lane] = 0
    second[lane] = 0
    coefficients.a1[lane] = target.a1[lane]
    coefficients.a2[lane] = target.a2[lane]
    coefficients.a3[lane] = target.a3[lane]
  }

  /// Filters a block in place; the coefficients go to `target` in a straight line.
  @_noLocks
  public mutating func process(
    _ samples: UnsafeMutablePointer<SIMD8<Float>>, count: Int, toward target: LowPassCoefficients
  ) {
    let share = 1 / Float(Int32(truncatingIfNeeded: count))
    var (a1, a2, a3) = (coefficients.a1, coefficients.a2, coefficients.a3)
    let (step1, step2, step3) = ((target.a1 - a1) * share, (target.a2 - a2) * share, (target.a3 - a3) * share)
    var (s1, s2) = (first, second)
    for index in 0..<count {
      a1 += step1
      a2 += step2
      a3 += step3
      let v3 = samples[index] - s2
      let v1 = a1 * s1 + a2 * v3
      let v2 = s2 + a2 * s1 + a3 * v3
      s1 = v1 + v1 - s1
      s2 = v2 + v2 - s2
      samples[index] = v2
    }
    (first, second, coefficients) = (s1, s2, target)
  }
}

/// What eight low-pass filters are set to.
public struct LowPassCoefficients: BitwiseCopyable, Sendable {
  var a1 = SIMD8<Float>(repeating: 0)
  var a2 = SIMD8<Float>(repeating: 0)
  var a3 = SIMD8<Float>(repeating: 0)

  @_noLocks
  init() {}

  /// - Parameters:
  ///   - cutoff: the frequency as a part of the sample rate; at most 0.45 is taken.
  ///   - damping: the inverse of the gain at that frequency, √2 for the flattest curve.
  @_noLocks
  public init(cutoff: SIMD8<Float>, damping: SIMD8<Float>) {
    let g = tangent(clamped(cutoff, from: 1e-5, to: 0.45) * Float.pi)
    a1 = 1 / (1 + g * (g + damping))
    a2 = g * a1
    a3 = g * a2
  }
}
