@preconcurrency import Glibc

/// Low passes of linear phase for the control thread: a sinc under a Kaiser window.
enum WindowedSinc {
  /// - Parameters:
  ///   - cutoff: where half of the amplitude passes, as a part of the sample rate.
  ///   - centre: the tap about which the filter is symmetric; half a tap is possible.
  ///   - beta: of the window; 9 leaves less than -90 dB, 10 less than -100 dB beyond the transition.
  /// - Returns: taps whose sum is 1; those that have no partner about the centre are 0.
  static func taps(count: Int, cutoff: Double, centre: Double, beta: Double) -> [Double] {
    let half = min(centre, Double(count - 1) - centre)
    let taps = (0..<count).map { tap in
      let distance = Double(tap) - centre
      guard abs(distance) <= half else { return 0.0 }
      let place = distance / (half + 1)
      let window = bessel(beta * (1 - place * place).squareRoot()) / bessel(beta)
      return distance == 0 ? 2 * cutoff : window * sin(2 * .pi * cutoff * distance) / (.pi * distance)
    }
    let sum = taps.reduce(0, +)
    return taps.map { $0 / sum }
  }

  /// The modified Bessel function of order 0, by its power series; for numbers up to 12.
  static func bessel(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1...30 {
      term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
      sum += term
    }
    return sum
  }
}
