@preconcurrency import Glibc

/// Filters that read a signal between its samples, with fewer samples ahead than behind: the best in the sense of least
/// squares for what has its whole power, evenly, below a frequency. [control thread]
///
/// It is the Wiener filter of an interpolation in noise. Past samples make up for future ones, which cost latency.
enum BandInterpolation {
  /// The filter of a point `fraction` of a sample behind sample `behind - 1` of `behind + ahead`.
  ///
  /// - Parameters:
  ///   - band: what the signal ends at, as a part of the sample rate.
  ///   - noise: its power beside the signal's in the whole spectrum. Less makes the band more exact, and what lies
  ///     beyond it louder.
  static func taps(behind: Int, ahead: Int, fraction: Double, band: Double, noise: Double) -> [Double] {
    var correlation = (0..<behind + ahead).map { sinc(2 * band * Double($0)) }
    correlation[0] += noise
    let wanted = (0..<behind + ahead).map { sinc(2 * band * (Double($0 - behind + 1) - fraction)) }
    return solve(correlation, wanted)
  }

  private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

  /// Solves a system whose matrix is symmetric and constant along its diagonals (Levinson 1946).
  private static func solve(_ diagonals: [Double], _ wanted: [Double]) -> [Double] {
    var solution = [wanted[0] / diagonals[0]]
    var predictor = [1.0]
    var error = diagonals[0]
    for count in 1..<wanted.count {
      let missed = (0..<count).reduce(0) { $0 + predictor[$1] * diagonals[count - $1] }
      let reflection = -missed / error
      predictor.append(0)
      predictor = (0...count).map { predictor[$0] + reflection * predictor[count - $0] }
      error *= 1 - reflection * reflection
      let rest = wanted[count] - (0..<count).reduce(0) { $0 + solution[$1] * diagonals[count - $1] }
      solution.append(0)
      for index in 0...count { solution[index] += rest / error * predictor[count - index] }
    }
    return solution
  }
}
