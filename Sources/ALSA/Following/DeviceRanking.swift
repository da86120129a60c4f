/// Which of several devices to play on: the most wanted one that can be opened and does not fail.
///
/// A device that could be opened and then failed all the time is put off, so that the next in line is heard instead of
/// silence: for ten seconds, and for twice as long each time it fails again. Times are in nanoseconds.
package struct DeviceRanking: Sendable {
  private static let shortestPause: UInt64 = 10_000_000_000
  /// Ten, 20, 40 and 80 seconds.
  private static let mostDoublings = 3
  /// Who plays for so long does not fail all the time.
  private static let probation: UInt64 = 10_000_000_000

  private struct Record {
    var failures = 0
    var putOffUntil: UInt64 = 0
  }

  private var records: [Record]
  /// The place in the order of preference of the device that plays, and since when.
  private var present: (index: Int, since: UInt64)

  /// - Parameters:
  ///   - count: how many devices there are, the most wanted first.
  ///   - present: the one that plays.
  package init(count: Int, present: Int, at time: UInt64) {
    records = Array(repeating: Record(), count: count)
    self.present = (present, time)
  }

  /// The order in which to try to open them: those that were put off come last.
  package func candidates(at time: UInt64) -> [Int] {
    records.indices.filter { records[$0].putOffUntil <= time }
      + records.indices.filter { records[$0].putOffUntil > time }
  }

  /// Those that are wanted more than the one that plays, and not put off.
  package func better(at time: UInt64) -> [Int] {
    records.indices.prefix(present.index).filter { records[$0].putOffUntil <= time }
  }

  /// A device has been opened and plays.
  package mutating func play(on index: Int, at time: UInt64) { present = (index, time) }

  /// The device that plays has failed, though nobody took it away.
  package mutating func noteFailure(at time: UInt64) {
    var record = records[present.index]
    if time &- present.since > Self.probation { record.failures = 0 }
    record.putOffUntil = time &+ Self.shortestPause << UInt64(min(record.failures, Self.mostDoublings))
    record.failures += 1
    records[present.index] = record
  }
}
