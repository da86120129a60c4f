/// Many measurements of one thing.
struct Distribution {
  private let sorted: [Double]

  init(_ samples: [Double]) { sorted = samples.sorted() }

  var median: Double { quantile(0.5) }

  /// Half of what lies between the quartiles, as a share of the median: how far to trust it.
  var spread: Double { median == 0 ? 0 : abs((quantile(0.75) - quantile(0.25)) / 2 / median) }

  private func quantile(_ share: Double) -> Double {
    sorted.isEmpty ? 0 : sorted[Int(Double(sorted.count - 1) * share)]
  }
}
