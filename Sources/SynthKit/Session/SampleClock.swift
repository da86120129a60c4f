import Synchronization

/// The sample clock on the host's clock: which frame is being asked for at a given time.
///
/// A device asks for slices at the rate it plays them, but late by as much as a timer is coarse or a machine is busy,
/// and never early. So the line through the least late ones is what the device does; everything above it is jitter.
struct SampleClock: ~Copyable {
  private let rate: Int64
  /// The audio thread's alone; apart, so that others may read the clock meanwhile.
  private let origin: UnsafeMutablePointer<StreamOrigin>
  private let published = Atomic<Int64>(.max)

  init(sampleRate: Double) {
    rate = max(1, Int64(sampleRate))
    origin = .allocate(capacity: 1)
    origin.initialize(to: StreamOrigin())
  }

  deinit { origin.deallocate() }

  /// Forgets what it has noted. Only while the stream does not run. [control thread]
  func reset() {
    origin.pointee = StreamOrigin()
    published.store(.max, ordering: .relaxed)
  }

  /// A slice is asked for that begins at `sampleTime`; `hostTime` in nanoseconds. [audio thread]
  @_noLocks
  func note(sampleTime: Int64, hostTime: UInt64) {
    let hostTime = Int64(truncatingIfNeeded: hostTime)
    // Seconds first: nanoseconds times the rate would overflow after a day.
    let elapsed = (sampleTime / rate) &* 1_000_000_000 &+ (sampleTime % rate) &* 1_000_000_000 / rate
    published.store(origin.pointee.note(hostTime &- elapsed, at: hostTime), ordering: .relaxed)
  }

  /// The frame the device asks for at a time, in nanoseconds; nil before it has asked for any. [any thread]
  func sampleTime(at hostTime: UInt64) -> Int64? {
    let origin = published.load(ordering: .relaxed)
    guard origin != .max else { return nil }
    let elapsed = Int64(truncatingIfNeeded: hostTime) &- origin
    return (elapsed / 1_000_000_000) &* rate &+ (elapsed % 1_000_000_000) &* rate / 1_000_000_000
  }
}

/// When a stream began, judged by when each of its slices was asked for: the earliest of the last half second to
/// second.
///
/// That is short enough for a clock that is off by 200 ppm to be followed within 0.2 ms, and long enough for a slice on
/// time to be in it. In the beginning it is shorter: the slices that fill an empty buffer come earlier than any after
/// them, and are to be forgotten soon.
struct StreamOrigin {
  /// All in nanoseconds.
  private static let firstWindow: Int64 = 31_250_000
  private static let longestWindow: Int64 = 500_000_000
  /// Later than this is not jitter: the stream was interrupted and goes on later.
  private static let interruption: Int64 = 50_000_000

  private var previous = Int64.max
  private var present = Int64.max
  private var window = Self.firstWindow
  private var windowEnd = Int64.max

  /// Takes note of when the stream began according to a slice, and gives the judgement. [audio thread]
  @_noLocks
  mutating func note(_ origin: Int64, at time: Int64) -> Int64 {
    let judged = min(previous, present)
    if judged == .max || origin &- judged > Self.interruption {
      (previous, present) = (.max, .max)
      window = Self.firstWindow
      windowEnd = time &+ window
    } else if time >= windowEnd {
      (previous, present) = (present, .max)
      window = min(2 &* window, Self.longestWindow)
      windowEnd = time &+ window
    }
    present = min(present, origin)
    return min(previous, present)
  }
}
