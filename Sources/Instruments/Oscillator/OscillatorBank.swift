import DSP
import Realtime

/// The phases of one oscillator in eight voices. [audio thread]
struct OscillatorBank: BitwiseCopyable {
  var phase = SIMD8<UInt32>(repeating: 0)

  @_noLocks
  init() {}

  /// Adds a quantum to what is in `samples`.
  ///
  /// - Parameter frequency: as a part of the sample rate; from 0.45 on there is silence.
  @_noLocks
  mutating func render(
    _ oscillator: VoiceOscillator, frequency: SIMD8<Float>, into samples: UnsafeMutablePointer<SIMD8<Float>>
  ) {
    let step = clamped(frequency, from: 1e-6, to: 0.45)
    let pitch = Pitch(step: step)
    let level = SIMD8<Float>(repeating: oscillator.level).replacing(with: 0, where: frequency .> 0.45)
    switch oscillator.wave {
    case .saw: renderSaw(pitch, level, samples)
    case .pulse: renderPulse(pitch, level, width: oscillator.width, samples)
    case .triangle: renderTriangle(pitch, level, samples)
    case .sine: renderSine(pitch, level, samples)
    }
  }

  /// What one sample adds to the phase, and how many samples a period has.
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
    _ pitch: Pitch, _ level: SIMD8<Float>, _ samples: UnsafeMutablePointer<SIMD8<Float>>
  ) {
    var phase = phase
    for index in 0..<renderQuantum {
      samples[index] += sawtooth(signedPhase(phase), inverse: pitch.inverse) * level
      phase &+= pitch.increment
    }
    self.phase = phase
  }

  /// The difference of two saws, whose direct current cancels.
  @_noLocks
  private mutating func renderPulse(
    _ pitch: Pitch, _ level: SIMD8<Float>, width: UInt32, _ samples: UnsafeMutablePointer<SIMD8<Float>>
  ) {
    var phase = phase
    let shift = SIMD8<UInt32>(repeating: width)
    for index in 0..<renderQuantum {
      let high = sawtooth(signedPhase(phase), inverse: pitch.inverse)
      let low = sawtooth(signedPhase(phase &- shift), inverse: pitch.inverse)
      samples[index] += (low - high) * level
      phase &+= pitch.increment
    }
    self.phase = phase
  }

  @_noLocks
  private mutating func renderTriangle(
    _ pitch: Pitch, _ level: SIMD8<Float>, _ samples: UnsafeMutablePointer<SIMD8<Float>>
  ) {
    var phase = phase
    for index in 0..<renderQuantum {
      samples[index] += triangle(signedPhase(phase), inverse: pitch.inverse, increment: pitch.step) * level
      phase &+= pitch.increment
    }
    self.phase = phase
  }

  @_noLocks
  private mutating func renderSine(
    _ pitch: Pitch, _ level: SIMD8<Float>, _ samples: UnsafeMutablePointer<SIMD8<Float>>
  ) {
    var phase = phase
    for index in 0..<renderQuantum {
      samples[index] += sine(signedPhase(phase)) * level
      phase &+= pitch.increment
    }
    self.phase = phase
  }
}

/// Eight sources of white noise. [audio thread]
struct NoiseBank: BitwiseCopyable {
  private var state = SIMD8<UInt32>(1, 2, 3, 4, 5, 6, 7, 8) &* 0x9E37_79B9

  @_noLocks
  init() {}

  /// Starts a lane anew.
  ///
  /// - Parameter seed: not 0.
  @_noLocks
  mutating func start(_ lane: Int, seed: UInt32) { state[lane] = seed }

  /// Adds a quantum to what is in `samples`, even over −1…1. Source of the generator: G. Marsaglia, "Xorshift RNGs", 2003.
  @_noLocks
  mutating func render(level: Float, into samples: UnsafeMutablePointer<SIMD8<Float>>) {
    var state = state
    for index in 0..<renderQuantum {
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
