import SynthRealtime

/// Clicks that wait until the notes on their beats have come through the channels' effects. [audio thread]
struct WaitingClicks: ~Copyable {
  struct Click: BitwiseCopyable {
    /// When it is heard, in frames of the metronome's rate.
    var time: Int64 = 0
    var isFirst = false
  }

  /// Clicks come every 5 ms at most, so that this many last for 1.3 s of latency. One too many is left out.
  private static var capacity: Int {
    @_noLocks get { 256 }
  }

  private let clicks: UnsafeMutablePointer<Click>
  private var first = 0
  private var count = 0

  init() {
    clicks = .allocate(capacity: Self.capacity)
    clicks.initialize(repeating: Click(), count: Self.capacity)
  }

  deinit { clicks.deallocate() }

  /// Adds a click, which is heard after those that wait already.
  @_noLocks
  mutating func add(at time: Int64, isFirst: Bool) {
    guard count < Self.capacity else { return }
    clicks[(first &+ count) % Self.capacity] = Click(time: time, isFirst: isFirst)
    count &+= 1
  }

  /// Takes the next click that is heard before a time.
  @_noLocks
  mutating func next(before time: Int64) -> Click? {
    guard count > 0, clicks[first].time < time else { return nil }
    defer {
      first = (first &+ 1) % Self.capacity
      count &-= 1
    }
    return clicks[first]
  }

  @_noLocks
  mutating func removeAll() { count = 0 }
}
