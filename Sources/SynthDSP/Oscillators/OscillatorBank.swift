/// Eight band-limited oscillators side by side. [audio thread]
public struct OscillatorBank: BitwiseCopyable, Sendable {
  /// A waveform of peak-to-peak amplitude 2 without direct current.
  public enum Wave: BitwiseCopyable, Sendable {
    /// A sawtooth, a pulse of adjustable width, a triangle, a sine.
    case saw, pulse, triangle, sine
  }

  /// A whole period is 2³².
  public var phase = SIMD8<UInt32>(repeating: 0)

  @_noLocks
  public init() {}

  /// Adds `count` samples to those in `samples`.
  ///
  /// - Parameters:
  ///   - width: the share of a pulse's period that is high, as a phase.
  ///   - frequency: as a fraction of the sample rate; above 0.45 the oscillator is silent.
  @_noLocks
  public mutating func render(
    _ wave: Wave, level: Float, width: UInt32, frequency: SIMD8<Float>,
    into samples: UnsafeMutablePointer<SIMD8<Float>>, count: Int
  ) {
    let step = clamped(frequency, from: 1e-6, to: 0.45)
    let pitch = Pitch(step: step)
    let level = SIMD8<Float>(repeating: level).replacing(with: 0, where: frequency .> 0.45)
    switch wave {
    case .saw: renderSaw(pitch, level, samples, count)
    case .pulse: renderPulse(pitch, level, width: width, samples, count)
    case .triangle: renderTriangle(pitch, level, samples, count)
    case .sine: renderSine(pitch, level, samples, count)
    }
  }

  /// The phase a sample adds, and the samples in a period.
  private struct Pitch {
    let increment: SIMD8<UInt32>
    let step: SIMD8<Float>
    let inverse: SIMD8<Float>

    @_noLocks
    init(step: SIMD8<Float>) {
      self.step = step
      inverse = 1 / step
      var increment = SIMD8<UInt32>(repeating: 0)
      for lane in 0..<8 { increment[lane] = UInt32(step[lane] * 4_294_967_296) }
      self.increment = increment
    }
  }

  @_noLocks
  private mutating func renderSaw(
    _ pitch: Pitch, _ level: SIMD8<Float>, _ samples: UnsafeMutablePointer<SIMD8<Float>>, _ count: Int
  ) {
    var phase = phase
    for index in 0..<count {
      samples[index] += sawtooth(signedPhase(phase), inverse: pitch.inverse) * level
      phase &+= pitch.increment
    }
    self.phase = phase
  }

  /// The difference of two saws, whose direct current cancels.
  @_noLocks
  private mutating func renderPulse(
    _ pitch: Pitch, _ level: SIMD8<Float>, width: UInt32, _ samples: UnsafeMutablePointer<SIMD8<Float>>, _ count: Int
  ) {
    var phase = phase
    let shift = SIMD8<UInt32>(repeating: width)
    for index in 0..<count {
      let high = sawtooth(signedPhase(phase), inverse: pitch.inverse)
      let low = sawtooth(signedPhase(phase &- shift), inverse: pitch.inverse)
      samples[index] += (low - high) * level
      phase &+= pitch.increment
    }
    self.phase = phase
  }

  @_noLocks
  private mutating func renderTriangle(
    _ pitch: Pitch, _ level: SIMD8<Float>, _ samples: UnsafeMutablePointer<SIMD8<Float>>, _ count: Int
  ) {
    var phase = phase
    for index in 0..<count {
      samples[index] += triangle(signedPhase(phase), inverse: pitch.inverse, increment: pitch.step) * level
      phase &+= pitch.increment
    }
    self.phase = phase
  }

  @_noLocks
  private mutating func renderSine(
    _ pitch: Pitch, _ level: SIMD8<Float>, _ samples: UnsafeMutablePointer<SIMD8<Float>>, _ count: Int
  ) {
    var phase = phase
    for index in 0..<count {
      samples[index] += sine(signedPhase(phase)) * level
      phase &+= pitch.increment
    }
    self.phase = phase
  }
}

/// Eight sources of white noise. [audio thread]
public struct NoiseBank: BitwiseCopyable, Sendable {
  private var state = SIMD8<UInt32>(1, 2, 3, 4, 5, 6, 7, 8) &* 0x9E37_79B9

  @_noLocks
  public init() {}

  /// Restarts the generator of a lane.
  ///
  /// - Parameter seed: not 0.
  @_noLocks
  public mutating func start(_ lane: Int, seed: UInt32) { state[lane] = seed }

  /// Adds `count` samples, evenly distributed over ±level. Source of the generator: G. Marsaglia, "Xorshift RNGs",
  /// 2003.
  @_noLocks
  public mutating func render(level: Float, into samples: UnsafeMutablePointer<SIMD8<Float>>, count: Int) {
    var state = state
    for index in 0..<count {
      state ^= state &<< 13
      state ^= state &>> 17
      state ^= state &<< 5
      // The upper 23 bits as the fraction of a number from 2 to 4.
      let bits = (state &>> 9) | SIMD8<UInt32>(repeating: 0x4000_0000)
      samples[index] += (unsafeBitCast(bits, to: SIMD8<Float>.self) - 3) * level
    }
    self.state = state
  }
}
