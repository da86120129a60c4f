/// How many frames a device's driver, or its sound server, has between a frame that is asked for now and the ear.
/// [audio thread]
///
/// What counts is the most of the last half second to second: a slice that is asked for late finds less in the buffer,
/// and live notes go by the slices that are asked for on time.
struct PCMDelayMeter {
  /// In nanoseconds.
  private static let window: UInt64 = 500_000_000

  private var previous = 0
  private var present = 0
  private var windowEnd: UInt64 = 0

  /// Notes what waits at a time in nanoseconds. Gives the judgement at the end of each window but the first, during
  /// which the buffer fills.
  @_noLocks @_noAllocation
  mutating func note(_ queued: Int, at time: UInt64) -> Int? {
    defer { present = max(present, queued) }
    guard time >= windowEnd else { return nil }
    defer { (previous, present, windowEnd) = (windowEnd == 0 ? 0 : present, 0, time &+ Self.window) }
    return previous > 0 ? max(previous, present) : nil
  }
}
