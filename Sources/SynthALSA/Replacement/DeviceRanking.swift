/// Decides which of several devices to play on: the first in order of preference that can be opened and does not fail.
///
/// A device that can be opened but keeps failing is put off, so that the next one is heard: for ten seconds, and for
/// twice as long each time it fails again. Times are in nanoseconds.
package struct DeviceRanking: Sendable {
  private static let shortestPause: UInt64 = 10_000_000_000
  /// Ten, 20, 40 and 80 seconds.
  private static let mostDoublings = 3
  private static let courtesy: UInt64 = 3_000_000_000
  /// A device that has played for this long counts as working.
  private static let probation: UInt64 = 10_000_000_000

  private struct Record {
    var failures = 0
    var putOffUntil: UInt64 = 0
    var takenUntil: UInt64 = 0
  }

  private var records: [Record]
  /// The present device's place in the order of preference, and since when it plays.
  private var present: (index: Int, since: UInt64)

  /// - Parameters:
  ///   - count: the number of devices, in order of preference.
  ///   - present: the one that plays.
  package init(count: Int, present: Int, at time: UInt64) {
    records = Array(repeating: Record(), count: count)
    self.present = (present, time)
  }

  /// The order in which to try to open them; those that were put off come last, those just taken not at all.
  package func candidates(at time: UInt64) -> [Int] {
    let free = records.indices.filter { records[$0].takenUntil <= time }
    return free.filter { records[$0].putOffUntil <= time } + free.filter { records[$0].putOffUntil > time }
  }

  /// Those that are preferred to the one that plays, and neither put off nor just taken.
  package func better(at time: UInt64) -> [Int] {
    records.indices.prefix(present.index).filter { max(records[$0].putOffUntil, records[$0].takenUntil) <= time }
  }

  /// Notes that a device has been opened and plays.
  package mutating func play(on index: Int, at time: UInt64) { present = (index, time) }

  /// Notes that another program is given the device that plays: it gets a moment to open it.
  package mutating func noteTaking(at time: UInt64) { records[present.index].takenUntil = time &+ Self.courtesy }

  /// Notes that the device that plays has failed without being removed.
  package mutating func noteFailure(at time: UInt64) {
    if time &- present.since > Self.probation { records[present.index].failures = 0 }
    noteFailure(of: present.index, at: time)
  }

  /// Notes that a device can be opened but does not play.
  package mutating func noteFailure(of index: Int, at time: UInt64) {
    let doublings = UInt64(min(records[index].failures, Self.mostDoublings))
    records[index].putOffUntil = time &+ Self.shortestPause << doublings
    records[index].failures += 1
  }
}
