/// A sample rate in hertz that something can be made for: the nearest within a range, and its lowest for NaN.
package func clampedRate(_ sampleRate: Double, to range: ClosedRange<Double> = 1...1_000_000) -> Double {
  min(max(range.lowerBound, sampleRate), range.upperBound)
}
