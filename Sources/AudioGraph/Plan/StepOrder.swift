/// What a plan does in one quantum of the output, in order: the groups of one rate each, the output's own rate last.
///
/// A group of another rate runs as many of its quanta as bring its time up to the output's, which depends on the sample
/// time alone; so neither the slice size nor the moment of an edit matters. Nodes of different rates meet only in
/// converters, which hold what the order of the groups requires. Sorting the groups by dependency instead would save
/// some of their latency, but would make it change with edits.
struct StepOrder {
  struct Step: Hashable {
    /// Which of the planned nodes.
    let node: Int
    let action: Action
  }

  enum Action { case render, intake }

  struct Group {
    /// In hertz.
    let sampleRate: Double
    var steps: [Step] = []
  }

  private(set) var groups: [Group]

  /// All steps of all groups.
  var steps: [Step] { groups.flatMap(\.steps) }

  init(_ nodes: [PlannedNode], sampleRate: Double) {
    var others = Set(nodes.map(\.sampleRate)).union(nodes.compactMap(\.inputRate))
    others.remove(sampleRate)
    groups = others.sorted().map { Group(sampleRate: $0) } + [Group(sampleRate: sampleRate)]
    let intakes = Self.intakes(nodes)
    let group = Dictionary(uniqueKeysWithValues: groups.enumerated().map { ($1.sampleRate, $0) })
    for (index, node) in nodes.enumerated() {
      guard let own = group[node.sampleRate] else { continue }
      groups[own].steps.append(Step(node: index, action: .render))
      for taker in intakes[index] ?? [] { groups[own].steps.append(Step(node: taker, action: .intake)) }
    }
  }

  /// Which nodes take their input right after a node has rendered: those it feeds, or feeds last, and its own if
  /// nothing feeds it.
  private static func intakes(_ nodes: [PlannedNode]) -> [Int: [Int]] {
    var intakes: [Int: [Int]] = [:]
    for (index, node) in nodes.enumerated() where node.isSplit {
      let last = node.sources.compactMap { $0?.node }.max() ?? index
      intakes[last, default: []].append(index)
    }
    return intakes
  }
}

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

  /// The whole number nearest to `count` times the ratio; the count is not negative.
  @_noLocks
  func nearest(to count: Int64) -> Int64 {
    let rest = (count % denominator) &* numerator
    return (count / denominator) &* numerator &+ (rest &+ denominator / 2) / denominator
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
