@preconcurrency import Glibc

/// Finds how high a signal rises between its samples: an eightfold oversampled peak, as ITU-R BS.1770-4 Annex 2
/// describes it for four times.
///
/// Eight times, because a sine near Nyquist that is read at four points a sample may be read 0.7 dB low, at eight 0.17
/// dB. The filter is a sinc of 32 samples under a Kaiser window (β = 3): sines up to 0.46 of the sample rate are read
/// within 0.05 dB beside that, white noise, which no music is, within 0.35 dB.
struct TruePeakDetector: ~Copyable {
  /// How many points a sample is read at.
  static let oversampling = 8
  /// How many samples a point is calculated from: as many before it as after it.
  static let tapCount = 32
  /// Samples that must be known after the one whose peak is asked for.
  static var lookAhead: Int { @_noLocks get { 16 } }

  /// The most a point can be beyond the samples it is calculated from: the largest sum of magnitudes of a phase.
  let bound: Float

  /// For each point between two samples its filter, every coefficient repeated eight times.
  private let coefficients: UnsafeMutablePointer<SIMD8<Float>>

  init() {
    coefficients = .allocate(capacity: (Self.oversampling - 1) * Self.tapCount)
    var bound = 1.0
    for phase in 1..<Self.oversampling {
      let taps = Self.taps(phase)
      bound = max(bound, taps.reduce(0) { $0 + abs($1) })
      for (tap, value) in taps.enumerated() {
        (coefficients + (phase - 1) * Self.tapCount + tap).initialize(to: SIMD8(repeating: Float(value)))
      }
    }
    self.bound = Float(bound) * 1.0001
  }

  deinit { coefficients.deallocate() }

  /// The filter of a point `phase` eighths behind sample 15 of 32, its sum 1.
  private static func taps(_ phase: Int) -> [Double] {
    let half = Double(tapCount / 2)
    let taps = (0..<tapCount).map { tap in
      let distance = Double(tap) - (half - 1) - Double(phase) / Double(oversampling)
      let window =
        WindowedSinc.bessel(3 * max(0, 1 - (distance / half) * (distance / half)).squareRoot()) / WindowedSinc.bessel(3)
      return window * sin(.pi * distance) / (.pi * distance)
    }
    let sum = taps.reduce(0, +)
    return taps.map { $0 / sum }
  }

  /// The highest magnitude of eight frames, each read from itself to the next. [audio thread]
  ///
  /// `samples` points to the first of them, with 15 samples before it and 24 from it on.
  @_noLocks
  func peaks(_ samples: UnsafePointer<Float>) -> SIMD8<Float> {
    let window = UnsafeRawPointer(samples - (Self.tapCount / 2 - 1))
    var highest = magnitude(UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<Float>.self))
    for phase in 0..<Self.oversampling - 1 {
      let taps = coefficients + phase * Self.tapCount
      var sum = SIMD8<Float>(repeating: 0)
      for tap in 0..<Self.tapCount {
        sum += window.loadUnaligned(fromByteOffset: 4 &* tap, as: SIMD8<Float>.self) * taps[tap]
      }
      let value = magnitude(sum)
      highest.replace(with: value, where: value .> highest)
    }
    return highest
  }
}
