import CSynthRealtime

/// A curve that samples are bent by, each for itself: 1 for small samples, none above ±1.
public enum WaveShape: String, CaseIterable, Sendable {
  /// tanh x: rounds peaks off.
  case soft
  /// Cuts peaks off at ±1.
  case hard
  /// Folds back what is beyond ±1, at the other side again: a triangle wave of x.
  case fold

  /// Bends `count` samples, a multiple of eight; the sample before `input` is there too.
  ///
  /// What comes out is half a sample late: `soft` is taken midway between two samples. `hard` and `fold`, whose corners
  /// would alias, are the mean of the curve on the line between two samples. Source of the method: J. Parker, V.
  /// Zavalishin, E. Le Bivic, "Reducing the aliasing of nonlinear waveshaping using continuous-time convolution"
  /// (DAFx 2016). [audio thread]
  @_noLocks
  func bend(_ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, count: Int) {
    switch self {
    case .soft:
      for place in stride(from: 0, to: count, by: 8) {
        let samples = UnsafeRawPointer(input + place).loadUnaligned(as: SIMD8<Float>.self)
        let before = UnsafeRawPointer(input + place - 1).loadUnaligned(as: SIMD8<Float>.self)
        // 1 − 2 / (1 + e²ˣ) for the mean x of two samples: e²ˣ is 2 to the power of their sum times log₂ e.
        let bent = 1 - 2 / (1 + exp2((samples + before) * 1.442_695))
        UnsafeMutableRawPointer(output + place).storeBytes(of: bent, as: SIMD8<Float>.self)
      }
    case .hard:
      for place in 0..<count { output[place] = Self.mean(input[place - 1], input[place], Self.hard) }
    case .fold:
      for place in 0..<count { output[place] = Self.mean(input[place - 1], input[place], Self.fold) }
    }
  }

  /// The value and the integral of a curve at a number.
  private typealias Point = (value: Double, integral: Double)

  @_noLocks
  @inline(__always)
  private static func mean(_ start: Float, _ end: Float, _ curve: (Double) -> Point) -> Float {
    let (start, end) = (Double(start), Double(end))
    let distance = end - start
    // Closer together, the difference of the integrals has too few digits.
    guard abs(distance) > 1e-6 else { return Float(curve((start + end) / 2).value) }
    return Float((curve(end).integral - curve(start).integral) / distance)
  }

  @_noLocks
  @inline(__always)
  private static func hard(_ x: Double) -> Point {
    let value = min(max(-1, x), 1)
    return (value, value * (x - value / 2))
  }

  @_noLocks
  @inline(__always)
  private static func fold(_ x: Double) -> Point {
    // A period is 4: up from -1 to 1, down from 1 to 3.
    let x = min(max(-1e9, x), 1e9)
    let turns = (x + 1) / 4
    let whole = Double(Int(turns))
    let place = x - 4 * (turns < whole ? whole - 1 : whole)
    return place <= 1 ? (place, place * place / 2) : (2 - place, 1 - (place - 2) * (place - 2) / 2)
  }
}
