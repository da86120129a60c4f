@preconcurrency import Glibc

/// One period of a waveform with so many harmonics, read at any phase.
///
/// The samples are coefficients of a cubic B-spline, whose own frequency response the spectrum they were made from
/// makes up for. That leaves images of harmonic k in a table of L samples at (k / (L − k))⁴ of its amplitude, 26 dB
/// less than a cubic polynomial through the samples would. Source of the method: Unser, "Splines: A Perfect Fit for
/// Signal and Image Processing", IEEE Signal Processing Magazine, 1999.
public struct WaveTable: BitwiseCopyable, @unchecked Sendable {
  /// The coefficient before the period's first; the three after its last repeat its beginning.
  @usableFromInline let coefficients: UnsafePointer<Float>
  /// How far to shift a phase for the number of the coefficient.
  @usableFromInline let shift: UInt64

  init(coefficients: UnsafePointer<Float>, sizeExponent: Int) {
    self.coefficients = coefficients
    shift = UInt64(64 - sizeExponent)
  }

  /// The sample at a phase in 2⁻⁶⁴ of a period. [audio thread]
  @_noLocks @inlinable @inline(__always)
  public func sample(at phase: UInt64) -> Float {
    let c = coefficients + Int(truncatingIfNeeded: phase &>> shift)
    // 24 bits below the coefficient's number: all that a Float holds.
    let fraction = Int32(truncatingIfNeeded: (phase &<< (64 &- shift)) &>> 40)
    let t = Float(fraction) * 0x1p-24
    let (before, at, after, beyond) = (c[0], c[1], c[2], c[3])
    let cubic = beyond - before + 3 * (at - after)
    let square = 3 * (before + after - 2 * at)
    let linear = 3 * (after - before)
    return ((cubic * t + square) * t + linear) * t + (before + 4 * at + after)
  }

  /// Fills a block; the phase of its first sample is the ramp's. [audio thread]
  @_noLocks
  public func render(into samples: UnsafeMutablePointer<Float>, along ramp: PhaseRamp, count: Int) {
    var ramp = ramp
    for frame in 0..<count { samples[frame] = sample(at: ramp.next()) }
  }

  /// Fills a block with a fade from this table to another: a harmonic that comes or goes makes no click. [audio thread]
  @_noLocks
  public func render(
    into samples: UnsafeMutablePointer<Float>, along ramp: PhaseRamp, count: Int, fadingTo other: WaveTable
  ) {
    var ramp = ramp
    let step = 1 / Float(Int32(truncatingIfNeeded: count))
    var share: Float = 0
    for frame in 0..<count {
      let phase = ramp.next()
      let present = sample(at: phase)
      share += step
      samples[frame] = present + (other.sample(at: phase) - present) * share
    }
  }

  @_noLocks
  static func == (left: WaveTable, right: WaveTable) -> Bool { left.coefficients == right.coefficients }
}

// How a table is made from a waveform's Fourier series.

extension WaveTable {
  /// The first harmonics of a waveform; the memory is never freed. [control thread]
  init(_ waveform: Waveform, harmonicCount: Int) {
    // Eight samples for the highest harmonic, and 1024 for the first few, which are the loudest, keep all images
    // together 97 dB below the fundamental.
    var exponent = 10
    while 1 << exponent < 8 * harmonicCount { exponent += 1 }
    let size = 1 << exponent
    var magnitudes = [Double](repeating: 0, count: size / 2)
    for k in 1...harmonicCount {
      magnitudes[k] = waveform.amplitude(ofHarmonic: k) / splineResponse(Double(k) / Double(size))
    }
    let phases = [Double](repeating: -.pi / 2, count: size / 2)
    let period = inverseFourierTransform(magnitudes: magnitudes, phases: phases)
    let coefficients = UnsafeMutablePointer<Float>.allocate(capacity: size + 3)
    for index in 0..<size + 3 {
      // A sixth is the spline's own factor.
      (coefficients + index).initialize(to: Float(period[(index + size - 1) % size] / 6))
    }
    self.init(coefficients: coefficients, sizeExponent: exponent)
  }
}

/// What a cubic B-spline makes of a frequency in periods per sample: sinc⁴.
private func splineResponse(_ frequency: Double) -> Double {
  let sinc = sin(.pi * frequency) / (.pi * frequency)
  return sinc * sinc * sinc * sinc
}
