import SynthRealtime

/// What a quantum of each case costs.
struct CostTable {
  private let cases: [Case]
  /// What callgrind counted in each piece of work of `runOnce`, in that order; empty where nobody counted.
  private let instructions: [Int]

  private static let rounds = 101
  private static let batchDuration = 1e6  // nanoseconds; the clock itself takes less than one
  /// Quanta until the caches are filled and everything has been used once.
  private static let warmUp = 64
  /// Quanta callgrind counts.
  private static let countedQuanta = 256
  private static let widths = [38, 13, 12, 8, 9]
  /// Nanoseconds a quantum may take.
  private static let deadline = Double(renderQuantum) / Work.sampleRate * 1e9

  init(_ cases: [Case], instructions: [Int] = []) {
    self.cases = cases
    self.instructions = instructions
  }

  /// Measures the cases in turn, again and again, so that a busy machine is unfair to all alike, and prints the table.
  func measure() {
    let batches = cases.map(Self.batchSize)
    var samples = cases.map { _ in [Double]() }
    for _ in 0..<Self.rounds {
      for (index, work) in cases.enumerated() {
        let cost = work.with.time(batches[index])
        samples[index].append(cost - work.without.time(batches[index]))
      }
    }
    print(row(["a quantum of 64 frames at 48 kHz", "instructions", "ns", "±", "deadline"], widths: Self.widths))
    for (index, work) in cases.enumerated() {
      let cost = Distribution(samples[index])
      let cells = [
        work.name, perQuantum(index), fixed(cost.median, cost.median < 1000 ? 1 : 0), percent(cost.spread, 0),
        percent(cost.median / Self.deadline, 3),
      ]
      print(row(cells, widths: Self.widths))
    }
  }

  /// Does every piece of work once.
  func runOnce() {
    for work in cases.flatMap({ [$0.with, $0.without] }) {
      work.run(Self.warmUp)
      work.measuredQuanta(Self.countedQuanta)
    }
  }

  private func perQuantum(_ index: Int) -> String {
    guard instructions.count == 2 * cases.count else { return "-" }
    let count = instructions[2 * index] - instructions[2 * index + 1]
    return fixed(Double(count) / Double(Self.countedQuanta), 0)
  }

  private static func batchSize(of work: Case) -> Int {
    work.with.run(warmUp)
    return max(8, Int(batchDuration / max(work.with.time(warmUp), 1)))
  }
}
