/// The waveform of a signal generator. At 0 dB the ideal waveform, before its bandwidth is limited, just reaches full
/// scale.
public enum Waveform: String, Sendable, CaseIterable, CustomStringConvertible {
  /// sin 2πφ.
  case sine
  /// Falling from 1 to −1 in every period.
  case sawtooth
  /// 1 in the first half of the period, −1 in the second.
  case square
  /// From 0 up to 1, down to −1 and back.
  case triangle
  /// White noise, evenly distributed over ±1: −4.8 dB RMS. It has no frequency.
  case noise

  public var description: String { rawValue }

  /// The amplitude of sin 2πkφ in the waveform's Fourier series; `harmonic` is k, from 1. Noise has none.
  public func amplitude(ofHarmonic harmonic: Int) -> Double {
    let k = Double(harmonic)
    let isOdd = !harmonic.isMultiple(of: 2)
    switch self {
    case .sine: return harmonic == 1 ? 1 : 0
    case .sawtooth: return 2 / .pi / k
    case .square: return isOdd ? 4 / .pi / k : 0
    case .triangle: return isOdd ? (harmonic % 4 == 1 ? 8 : -8) / (.pi * .pi * k * k) : 0
    case .noise: return 0
    }
  }
}

/// Plays a waveform, or noise, block by block, at any pitch: as the pitch changes, it fades from table to table.
public struct Oscillator: BitwiseCopyable, @unchecked Sendable {
  /// nil for noise.
  private let levels: UnsafeMutablePointer<WaveTable>?
  private var level = -1
  private var noise = WhiteNoise()

  /// - Parameter tables: nil for noise.
  @_noLocks
  public init(_ tables: WaveTables?) { levels = tables?.levels }

  /// Fills a block; the phase of its first sample is the ramp's. [audio thread]
  @_noLocks
  public mutating func render(into samples: UnsafeMutablePointer<Float>, along ramp: PhaseRamp, count: Int) {
    guard let levels else { return noise.render(into: samples, count: count) }
    let next = WaveTables(levels: levels).level(forIncrement: ramp.highestIncrement(frameCount: count))
    if level < 0 || levels[level] == levels[next] {
      levels[next].render(into: samples, along: ramp, count: count)
    } else {
      levels[level].render(into: samples, along: ramp, count: count, fadingTo: levels[next])
    }
    level = next
  }
}

/// White noise, evenly distributed over ±1; the same from the same seed.
///
/// Source of the method: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
public struct WhiteNoise: BitwiseCopyable, Sendable {
  private var state: UInt64

  @_noLocks
  public init(seed: UInt64 = 0) { state = seed }

  /// Fills a block. [audio thread]
  @_noLocks
  public mutating func render(into samples: UnsafeMutablePointer<Float>, count: Int) {
    for frame in 0..<count {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state &>> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
      mixed ^= mixed &>> 31
      // The upper 25 bits, the sign among them: every value is a Float's own.
      samples[frame] = Float(Int32(truncatingIfNeeded: Int64(bitPattern: mixed) &>> 39)) * 0x1p-24
    }
  }
}
