@preconcurrency import Glibc

/// A windowed sinc at many places between two samples: reads a signal between its samples. Plain memory for the audio
/// thread.
///
/// With 16 taps the error is below -60 dB up to 0.7 of half the sample rate; a whole place gives the sample as it is.
public final class SincTable: @unchecked Sendable {
  /// What the audio thread reads; valid while the table lives.
  public let rows: SincRows

  /// [control thread]
  ///
  /// - Parameters:
  ///   - tapCount: a multiple of eight.
  ///   - cutoff: where half of the amplitude passes, as a part of the sample rate.
  public init(tapCount: Int = MovingDelay.tapCount, cutoff: Double = 0.5) {
    rows = SincRows(tapCount: tapCount, cutoff: cutoff)
  }

  deinit { rows.free() }
}

/// The memory of a `SincTable`, which keeps it alive. [audio thread]
public struct SincRows: @unchecked Sendable {
  private static var phaseCount: Int { @_noLocks get { 256 } }

  let tapCount: Int
  /// For each phase its taps, and a last row for the next sample.
  private let taps: UnsafeMutablePointer<Float>

  fileprivate init(tapCount: Int, cutoff: Double) {
    self.tapCount = tapCount
    let count = tapCount * (Self.phaseCount + 1)
    taps = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: count)
    for phase in 0...Self.phaseCount {
      let centre = Double(tapCount / 2 - 1) + Double(phase) / Double(Self.phaseCount)
      let row = (0..<tapCount).map { Self.sinc(Double($0) - centre, cutoff, reach: Double(tapCount / 2)) }
      let sum = row.reduce(0, +)
      for tap in 0..<tapCount { taps[phase * tapCount + tap] = Float(row[tap] / sum) }
    }
  }

  /// Under a Kaiser window as wide as all taps for every phase, so that each reads as exactly as the others.
  private static func sinc(_ distance: Double, _ cutoff: Double, reach: Double) -> Double {
    let place = distance / reach
    let window = WindowedSinc.bessel(7 * max(0, 1 - place * place).squareRoot())
    return window * (distance == 0 ? 1 : sin(2 * .pi * cutoff * distance) / (2 * .pi * cutoff * distance))
  }

  fileprivate func free() { taps.deallocate() }

  /// The taps that read between two samples: those of a row, and how far they are from there to the next row's.
  ///
  /// - Parameter part: how far after a sample, 0 to 1.
  @_noLocks
  @inline(__always)
  func row(_ part: Double) -> (taps: UnsafeMutablePointer<Float>, rest: Float) {
    let place = part * Double(Self.phaseCount)
    let phase = min(Self.phaseCount &- 1, Int(place))
    return (taps + phase &* tapCount, Float(place - Double(phase)))
  }

  /// The signal at a place, of which half the taps' samples lie on both sides. [any thread]
  @_noLocks
  @inline(__always)
  func read(_ samples: UnsafePointer<Float>, at position: Double) -> Float {
    let whole = Int(position)
    let (taps, rest) = row(position - Double(whole))
    let first = samples + (whole &- tapCount / 2 &+ 1)
    var sum: Float = 0
    for tap in 0..<tapCount { sum += first[tap] * (taps[tap] + rest * (taps[tap &+ tapCount] - taps[tap])) }
    return sum
  }
}
