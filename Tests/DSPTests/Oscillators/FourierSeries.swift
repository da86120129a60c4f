@preconcurrency import Glibc
import SynthDSP

/// The reference: a waveform's first harmonics, added up one by one in double precision.
struct FourierSeries {
  private let amplitudes: [Double]

  init(_ waveform: Waveform, harmonicCount: Int) {
    amplitudes = (1...max(1, harmonicCount)).map { k in
      let k = Double(k)
      let isOdd = k.truncatingRemainder(dividingBy: 2) == 1
      switch waveform {
      case .sine: return k == 1 ? 1 : 0
      case .sawtooth: return 2 / (.pi * k)
      case .square: return isOdd ? 4 / (.pi * k) : 0
      case .triangle: return isOdd ? 8 * sin(.pi / 2 * k) / pow(.pi * k, 2) : 0
      case .noise: return 0
      }
    }
  }

  /// The first harmonic's amplitude.
  var fundamental: Double { amplitudes[0] }

  /// The sum at a phase in periods, by Clenshaw's recurrence.
  func sample(at phase: Double) -> Double {
    let x = 2 * Double.pi * phase
    let twice = 2 * cos(x)
    var (last, beforeLast) = (0.0, 0.0)
    amplitudes.withUnsafeBufferPointer { amplitudes in
      var k = amplitudes.count
      while k > 0 {
        k -= 1
        (last, beforeLast) = (amplitudes[k] + twice * last - beforeLast, last)
      }
    }
    return last * sin(x)
  }
}

/// A phase of the oscillators in periods.
func periods(_ phase: UInt64) -> Double { Double(phase >> 11) * 0x1p-53 }

/// A level relative to the fundamental's, from the sum of the squares of `count` errors.
func errorLevel(_ sumOfSquares: Double, count: Int, fundamental: Double) -> Double {
  10 * log10(sumOfSquares / Double(count) / (fundamental * fundamental / 2))
}

/// In hertz.
func frequency(ofNote note: Int) -> Double { 440 * pow(2, Double(note - 69) / 12) }
