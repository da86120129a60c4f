/// One sample rate over another in lowest terms, good for exact sums over any length of time.
///
/// Rates count to a thousandth of a hertz.
struct RateRatio: BitwiseCopyable {
  let numerator: Int64
  let denominator: Int64

  /// Both in hertz, within `FormatCheck.sampleRates`.
  init(_ rate: Double, over other: Double) {
    let (first, second) = (Self.millihertz(rate), Self.millihertz(other))
    let divisor = Self.greatestCommonDivisor(first, second)
    numerator = first / divisor
    denominator = second / divisor
  }

  /// The least whole number not below `count` times the ratio. Neither product comes near 2⁶³.
  @_noLocks
  func ceiling(of count: Int64) -> Int64 {
    let rest = (count % denominator) &* numerator
    return (count / denominator) &* numerator &+ (rest &+ denominator &- 1) / denominator
  }

  var value: Double { Double(numerator) / Double(denominator) }

  private static func millihertz(_ rate: Double) -> Int64 {
    Int64((FormatCheck.sampleRates.clamp(rate) * 1000).rounded())
  }

  private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}

extension ClosedRange<Double> {
  fileprivate func clamp(_ value: Double) -> Double { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
