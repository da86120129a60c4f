import Synchronization

/// What the first device's thread tells the others: where it is in the stream, at any time.
struct AggregateClock: ~Copyable {
  /// Frames per second.
  let rate: Int
  /// When frame 0 was played, or would have been, in nanoseconds; the line drifts as the clock does.
  private let origin = Atomic(Int64.max)
  private let interruptionCount = Atomic(0)
  private let paced = Atomic(false)

  init(rate: Int) { self.rate = rate }

  /// Begins a stream. [no thread runs]
  func reset() {
    origin.store(.max, ordering: .relaxed)
    paced.store(false, ordering: .releasing)
  }

  /// At that time, in nanoseconds, so many frames had been played. [the first device's thread]
  @_noLocks @_noAllocation
  func note(played: Int, at time: UInt64, interruptions: Int) {
    // Seconds first: nanoseconds times the rate would overflow after two days.
    let elapsed = (played / rate) &* 1_000_000_000 &+ (played % rate) &* 1_000_000_000 / rate
    interruptionCount.store(interruptions, ordering: .relaxed)
    origin.store(Int64(truncatingIfNeeded: time) &- Int64(truncatingIfNeeded: elapsed), ordering: .releasing)
  }

  /// It does not play. [the first device's thread]
  @_noLocks @_noAllocation
  func stop() { origin.store(.max, ordering: .releasing) }

  /// It has had to wait for its device, so time passes in it. [the first device's thread]
  @_noLocks @_noAllocation
  func notePacing() { paced.store(true, ordering: .relaxed) }

  /// Whether time passes in it. [any thread]
  var isPaced: Bool {
    @_noLocks @_noAllocation get { paced.load(ordering: .relaxed) }
  }

  /// The frame that is played at a time, and how often the clock has lost its place; nil while it does not play.
  /// [any thread]
  ///
  /// What has passed since the latest note is taken at the nominal rate: 200 ppm of a period are a microsecond.
  @_noLocks @_noAllocation
  func position(at time: UInt64) -> (frame: Double, interruptions: Int)? {
    let origin = origin.load(ordering: .acquiring)
    guard origin != .max else { return nil }
    let elapsed = Int64(truncatingIfNeeded: time) &- origin
    return (Double(elapsed) * Double(rate) / 1e9, interruptionCount.load(ordering: .relaxed))
  }
}
