import Synchronization

/// The first device's position in the stream at any time, as its thread tells the other devices' threads.
struct AggregateClock: ~Copyable {
  /// Frames per second.
  let rate: Int
  /// When frame 0 was or would have been played, in nanoseconds; it drifts as the device's clock does.
  private let origin = Atomic(Int64.max)
  private let interruptionCount = Atomic(0)
  private let paced = Atomic(false)

  init(rate: Int) { self.rate = rate }

  /// Begins a stream, before the start. [control thread]
  func reset() {
    origin.store(.max, ordering: .relaxed)
    paced.store(false, ordering: .releasing)
  }

  /// Notes how many frames had been played at a time in nanoseconds. [audio thread]
  @_noLocks @_noAllocation
  func note(played: Int, at time: UInt64, interruptions: Int) {
    // Seconds first: nanoseconds times the rate would overflow after two days.
    let elapsed = (played / rate) &* 1_000_000_000 &+ (played % rate) &* 1_000_000_000 / rate
    interruptionCount.store(interruptions, ordering: .relaxed)
    origin.store(Int64(truncatingIfNeeded: time) &- Int64(truncatingIfNeeded: elapsed), ordering: .releasing)
  }

  /// Notes that the device does not play. [audio thread]
  @_noLocks @_noAllocation
  func stop() { origin.store(.max, ordering: .releasing) }

  /// Notes that the thread has had to wait for its device, which means that the device has a clock. [audio thread]
  @_noLocks @_noAllocation
  func notePacing() { paced.store(true, ordering: .relaxed) }

  /// Whether the device has a clock. [any thread]
  var isPaced: Bool {
    @_noLocks @_noAllocation get { paced.load(ordering: .relaxed) }
  }

  /// The frame that is played at a time, and how often the device has lost its place; nil while it does not play.
  /// [any thread]
  ///
  /// From the latest note on it counts at the nominal rate: 200 ppm of a period are a microsecond.
  @_noLocks @_noAllocation
  func position(at time: UInt64) -> (frame: Double, interruptions: Int)? {
    let origin = origin.load(ordering: .acquiring)
    guard origin != .max else { return nil }
    let elapsed = Int64(truncatingIfNeeded: time) &- origin
    return (Double(elapsed) * Double(rate) / 1e9, interruptionCount.load(ordering: .relaxed))
  }
}
