import CSynthSampling
@preconcurrency import Glibc

/// Weights of words at 256 places between two of them. [audio thread]
struct InterpolationTable: BitwiseCopyable {
  /// How many words are weighed, an even number; a place lies behind half of them.
  let tapCount: Int
  /// How many words are read: with those behind the last one, whose weights are 0, a sinc's fill whole vectors.
  let width: Int
  /// The largest increment that the table is for.
  let longestIncrement: UInt64
  /// For each place its weights; for a sinc also how far it is from each to the next place's, in units of 2⁻²⁴.
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
    return InterpolationTable(tapCount: 4, width: 4, ratio: 1, rows: rows)
  }

  /// A sinc under a Kaiser window. [control thread]
  ///
  /// The window and the cutoff are those of a few that were tried with which images sink to −90 dB soonest.
  ///
  /// - Parameter ratio: by how much the pitch is raised: the sinc is as much longer, and lets as much less pass.
  static func sinc(pointCount: Int, ratio: Double) -> InterpolationTable {
    let tapCount = (Int((Double(pointCount) * ratio).rounded(.up)) + 3) / 4 * 4
    let sinc = SincRow(tapCount: tapCount, cutoff: (pointCount == 8 ? 0.45 : 0.48) / ratio)
    let weights = (0...256).map { sinc.weights(at: Double($0) / 256) }
    let rows = zip(weights, weights.dropFirst()).map { row, next in row + zip(next, row).map { ($0 - $1) * 0x1p-24 } }
    return InterpolationTable(tapCount: tapCount, width: weights[0].count, ratio: ratio, rows: rows)
  }

  private init(tapCount: Int, width: Int, ratio: Double, rows: [[Double]]) {
    self.tapCount = tapCount
    self.width = width
    longestIncrement = UInt64(ratio * exp2(1.0 / 12) * 4_294_967_296)
    let count = rows.count * rows[0].count
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * 4, alignment: 64)
      .bindMemory(to: Float.self, capacity: count)
    for (index, weight) in rows.joined().enumerated() { memory[index] = Float(weight / 32_768) }
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
      sampling_read_sinc(window, rows, width, part, increment, row, count)
    }
  }
}

/// Makes the rows of a sinc under a Kaiser window, eight weights at a time: a player waits for some 60,000 of them.
private struct SincRow {
  let tapCount: Int
  /// Of each tap: how far behind the first one's middle it is, and the sine and cosine of its angle there.
  private let distances: [SIMD8<Double>]
  private let sines: [SIMD8<Double>]
  private let cosines: [SIMD8<Double>]
  private let speed: Double

  init(tapCount: Int, cutoff: Double) {
    self.tapCount = tapCount
    let speed = 2 * .pi * cutoff
    self.speed = speed
    distances = stride(from: 0, to: tapCount, by: 8).map { first in
      SIMD8(0, 1, 2, 3, 4, 5, 6, 7) + Double(first - (tapCount / 2 - 1))
    }
    sines = distances.map { $0.mapped { sin(speed * $0) } }
    cosines = distances.map { $0.mapped { cos(speed * $0) } }
  }

  /// The weights of words for a place between two of them, 0 to 1, whose sum is 1; zeros fill the last eight.
  func weights(at place: Double) -> [Double] {
    let (sine, cosine) = (sin(speed * place), cos(speed * place))
    var row: [Double] = []
    row.reserveCapacity(distances.count * 8)
    for index in distances.indices {
      let distance = distances[index] - place
      let share = distance / Double(tapCount / 2)
      let rest = 1 - share * share
      let window = besselI0(9.8 * rest.replacing(with: 0, where: rest .< 0).squareRoot())
      let angle = speed * distance
      // The sine of a difference.
      let sinc = (sines[index] * cosine - cosines[index] * sine) / angle
      let eight = window * sinc.replacing(with: 1, where: angle .== 0)
      for lane in 0..<8 { row.append(row.count < tapCount ? eight[lane] : 0) }
    }
    let sum = row.reduce(0, +)
    return row.map { $0 / sum }
  }
}

extension SIMD8<Double> {
  fileprivate func mapped(_ change: (Double) -> Double) -> SIMD8<Double> {
    var result = self
    for lane in 0..<8 { result[lane] = change(self[lane]) }
    return result
  }
}
