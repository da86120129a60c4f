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
