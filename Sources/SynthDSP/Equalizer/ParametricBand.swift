import CSynthRealtime

/// What a band of a parametric equalizer does.
public enum ParametricShape: String, CaseIterable, Sendable {
  /// Raises or lowers what is around the frequency.
  case peak
  /// Raises or lowers what is below the frequency, which has half of the decibels.
  case lowShelf = "low shelf"
  /// Raises or lowers what is above the frequency, which has half of the decibels.
  case highShelf = "high shelf"
  /// Takes away what is above the frequency, 12 dB an octave.
  case lowPass = "low pass"
  /// Takes away what is below the frequency, 12 dB an octave.
  case highPass = "high pass"
  /// Takes away what is not around the frequency, which keeps its level.
  case bandPass = "band pass"
  /// Takes the frequency away.
  case notch
}

/// What a state-variable filter is set to: its frequency, its damping, and how much of its input, its band pass and its
/// low pass is heard.
///
/// The responses are those of R. Bristow-Johnson's "Cookbook formulae for audio EQ biquad filter coefficients" with Q;
/// the form is A. Simper's "Solving the continuous SVF equations using trapezoidal integration" (2013). A cookbook
/// biquad whose coefficients move can ring up, and needs `Double` at low frequencies; this form is a damped circuit at
/// every moment, whatever moves, and its frequency is a coefficient by itself.
public struct ParametricCoefficients: BitwiseCopyable, Sendable {
  /// tan ω/2, shifted where the shape is a shelf.
  public var frequency: Float
  /// 1/Q, lower the more a peak is raised.
  public var damping: Float
  /// The share of the input in the output.
  public var direct: Float
  /// The share of the band-pass state in the output.
  public var band: Float
  /// The share of the low-pass state in the output.
  public var low: Float

  /// - Parameters:
  ///   - frequency: as a part of the sample rate; at most 0.49 is taken.
  ///   - quality: Q: frequency over bandwidth; 0.707 has no resonance.
  ///   - amplitude: of what peaks and shelves raise or lower; the others have none.
  @_noLocks
  public init(_ shape: ParametricShape, frequency: Float, quality: Float, amplitude: Float) {
    let tangent = tangent(SIMD8(repeating: min(frequency, 0.49) * Float.pi))[0]
    let root = realtime_square_root(amplitude)
    self.frequency = tangent
    damping = 1 / quality
    (direct, band, low) = (1, 0, 0)
    switch shape {
    case .peak:
      damping /= root
      band = damping * (amplitude - 1)
    case .lowShelf:
      self.frequency /= realtime_square_root(root)
      (band, low) = (damping * (root - 1), amplitude - 1)
    case .highShelf:
      self.frequency *= realtime_square_root(root)
      (direct, band, low) = (amplitude, damping * (1 - root) * root, 1 - amplitude)
    case .lowPass: (direct, low) = (0, 1)
    case .highPass: (band, low) = (-damping, -1)
    case .bandPass: (direct, band) = (0, damping)
    case .notch: band = -damping
    }
  }

  /// The same filter, of which nothing but its input is heard.
  public var bypassed: ParametricCoefficients {
    @_noLocks get {
      var bypassed = self
      (bypassed.direct, bypassed.band, bypassed.low) = (1, 0, 0)
      return bypassed
    }
  }
}

/// The coefficients of a band on their way to what they are set to: straight lines over some blocks. [audio thread]
public struct ParametricRamp: BitwiseCopyable, Sendable {
  private var frequency = Ramp()
  private var damping = Ramp()
  private var direct = Ramp()
  private var band = Ramp()
  private var low = Ramp()

  @_noLocks
  public init() {}

  /// The next block's piece of the way.
  @_noLocks
  public mutating func next(toward target: ParametricCoefficients, blocks: Int) -> ParametricLine {
    ParametricLine(
      frequency: frequency.next(toward: target.frequency, blocks: blocks, blockSize: blockSize),
      damping: damping.next(toward: target.damping, blocks: blocks, blockSize: blockSize),
      direct: direct.next(toward: target.direct, blocks: blocks, blockSize: blockSize),
      band: band.next(toward: target.band, blocks: blocks, blockSize: blockSize),
      low: low.next(toward: target.low, blocks: blocks, blockSize: blockSize))
  }
}

/// The coefficients of a band in one block.
public struct ParametricLine: BitwiseCopyable, Sendable {
  let frequency: GainSegment
  let damping: GainSegment
  let direct: GainSegment
  let band: GainSegment
  let low: GainSegment

  /// Whether the block passes as it is.
  public var isIdentity: Bool {
    @_noLocks get {
      !isMoving && direct.start == 1 && band.start == 0 && low.start == 0
    }
  }

  /// Whether the block after it may differ from it although the target is the same.
  public var isMoving: Bool {
    @_noLocks get {
      frequency.step != 0 || damping.step != 0 || direct.step != 0 || band.step != 0 || low.step != 0
    }
  }
}

/// The memory of one band for two channels side by side, in double precision. [audio thread]
public struct ParametricState: BitwiseCopyable, Sendable {
  private var first = SIMD2<Double>(repeating: 0)
  private var second = SIMD2<Double>(repeating: 0)

  @_noLocks
  public init() {}

  /// Filters a block of both channels in place.
  @_noLocks
  public mutating func process(_ samples: UnsafeMutablePointer<SIMD2<Double>>, along line: ParametricLine) {
    if line.isMoving { return sweep(samples, along: line) }
    let coefficients = Coefficients(line, at: 0)
    for frame in 0..<blockSize { samples[frame] = filter(samples[frame], coefficients) }
  }

  @_noLocks
  private mutating func sweep(_ samples: UnsafeMutablePointer<SIMD2<Double>>, along line: ParametricLine) {
    for frame in 0..<blockSize { samples[frame] = filter(samples[frame], Coefficients(line, at: frame &+ 1)) }
  }

  @_noLocks
  @inline(__always)
  private mutating func filter(_ input: SIMD2<Double>, _ coefficients: Coefficients) -> SIMD2<Double> {
    let rest = input - second
    let band = coefficients.a1 * first + coefficients.a2 * rest
    let low = second + coefficients.a2 * first + coefficients.a3 * rest
    first = band + band - first
    second = low + low - second
    return coefficients.direct * input + coefficients.band * band + coefficients.low * low
  }

  private struct Coefficients {
    let a1: Double
    let a2: Double
    let a3: Double
    let direct: Double
    let band: Double
    let low: Double

    @_noLocks
    @inline(__always)
    init(_ line: ParametricLine, at frame: Int) {
      let place = Double(Int32(truncatingIfNeeded: frame))
      let frequency = Double(line.frequency.start) + Double(line.frequency.step) * place
      a1 = 1 / (1 + frequency * (frequency + Double(line.damping.start) + Double(line.damping.step) * place))
      a2 = frequency * a1
      a3 = frequency * a2
      direct = Double(line.direct.start) + Double(line.direct.step) * place
      band = Double(line.band.start) + Double(line.band.step) * place
      low = Double(line.low.start) + Double(line.low.step) * place
    }
  }
}
