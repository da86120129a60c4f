import CSynthSampling
@preconcurrency import Glibc

/// Weights of words at 256 places between two of them. [audio thread]
struct InterpolationTable: BitwiseCopyable {
  /// How many words are weighed, a multiple of four; a place lies behind half of them.
  let tapCount: Int
  /// The largest increment that the table is for.
  let longestIncrement: UInt64
  /// For each place its weights; for a sinc also how far it is from each to the next place's.
  private let rows: UnsafePointer<Float>

  /// The Catmull-Rom spline. The weights bring words within ±1. [control thread]
  static func cubic() -> InterpolationTable {
    let rows = (0..<256).map { place -> [Double] in
      let x = Double(place) / 256
      return [
        x * (-0.5 + x * (1 - 0.5 * x)), 1 + x * x * (1.5 * x - 2.5), x * (0.5 + x * (2 - 1.5 * x)),
        0.5 * x * x * (x - 1),
      ]
    }
    return InterpolationTable(tapCount: 4, ratio: 1, rows: rows)
  }

  /// A sinc under a Kaiser window. [control thread]
  ///
  /// The window and the cutoff are those of a few that were tried with which images sink to −90 dB soonest.
  ///
  /// - Parameter ratio: by how much the pitch is raised: the sinc is as much longer, and lets as much less pass.
  static func sinc(pointCount: Int, ratio: Double) -> InterpolationTable {
    let tapCount = (Int((Double(pointCount) * ratio).rounded(.up)) + 3) / 4 * 4
    let cutoff = (pointCount == 8 ? 0.45 : 0.48) / ratio
    let weights = (0...256).map { place -> [Double] in
      let centre = Double(tapCount / 2 - 1) + Double(place) / 256
      let row = (0..<tapCount).map { weight(at: Double($0) - centre, cutoff, reach: Double(tapCount / 2)) }
      let sum = row.reduce(0, +)
      return row.map { $0 / sum }
    }
    let rows = zip(weights, weights.dropFirst()).map { row, next in row + zip(next, row).map { $0 - $1 } }
    return InterpolationTable(tapCount: tapCount, ratio: ratio, rows: rows)
  }

  private static func weight(at distance: Double, _ cutoff: Double, reach: Double) -> Double {
    let place = distance / reach
    let window = besselI0(9.8 * max(0, 1 - place * place).squareRoot())
    let angle = 2 * .pi * cutoff * distance
    return window * (angle == 0 ? 1 : sin(angle) / angle)
  }

  private init(tapCount: Int, ratio: Double, rows: [[Double]]) {
    self.tapCount = tapCount
    longestIncrement = UInt64(ratio * exp2(1.0 / 12) * 4_294_967_296)
    let width = rows[0].count
    let memory = UnsafeMutableRawPointer.allocate(byteCount: rows.count * width * 4, alignment: 64)
      .bindMemory(to: Float.self, capacity: rows.count * width)
    for (index, row) in rows.enumerated() {
      for (tap, weight) in row.enumerated() { memory[index * width + tap] = Float(weight / 32_768) }
    }
    self.rows = UnsafePointer(memory)
  }

  /// Reads frames from words that all lie in a window. [audio thread]
  ///
  /// - Parameters:
  ///   - window: begins with the first frame's first word.
  ///   - part: how far the first frame is behind the word before it, in units of 2⁻³² words.
  @_noLocks
  func read(
    _ window: UnsafePointer<Float>, at part: UInt64, increment: UInt64, into row: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    if tapCount == 4 {
      sampling_read_spline(window, rows, part, increment, row, count)
    } else {
      sampling_read_sinc(window, rows, tapCount, part, increment, row, count)
    }
  }
}
