import SynthRealtime

/// Scheduled parameter changes as the renderer holds them: those that wait in a binary heap, the earliest on top, and
/// those that are under way. [audio thread]
struct ScheduledChanges: ~Copyable {
  // First, because a build for ThreadSanitizer reports each mutating call through a pointer as a write to what the
  // first word of the struct points to.
  private let active: UnsafeMutablePointer<ActiveChanges>
  private let incoming: RingBuffer<ScheduledChange>.Consumer
  private let done: RingBuffer<UInt>.Producer
  private let cancellation: UnsafeMutablePointer<ScheduleCancellation>
  private var cancelled: UInt64 = 0
  private let heap: UnsafeMutablePointer<ScheduledChange>
  private var count = 0
  /// Whether a change waits or is under way.
  private var isBusy = false

  /// - Parameter capacity: how many changes may come before one has gone home.
  init(
    capacity: Int, incoming: RingBuffer<ScheduledChange>.Consumer, done: RingBuffer<UInt>.Producer,
    cancellation: UnsafeMutablePointer<ScheduleCancellation>
  ) {
    self.cancellation = cancellation
    self.incoming = incoming
    self.done = done
    heap = .allocate(capacity: capacity)
    active = .allocate(capacity: 1)
    active.initialize(to: ActiveChanges(capacity: capacity, done: done))
  }

  deinit {
    for index in 0..<count { ScheduledChange.release(heap[index].parameter) }
    heap.deallocate()
    active.deinitialize(count: 1)
    active.deallocate()
  }

  /// Whether anything has been scheduled or cancelled that is not over.
  var hasAny: Bool {
    @_noLocks @inline(__always) get {
      if isBusy || cancellation.pointee.order.load(ordering: .relaxed) != cancelled { return true }
      if case .some = incoming.peek() { return true }
      return false
    }
  }

  /// Begins what is due in a quantum.
  ///
  /// - Parameter lookahead: how many frames beyond it some nodes render.
  /// - Returns: what kernels are to follow; nil where nothing is under way.
  @_noLocks
  @inline(never)
  mutating func advance(to quantum: Range<Int64>, lookahead: Int64) -> UnsafePointer<ActiveChanges>? {
    takeOver(at: quantum.lowerBound)
    while count > 0, heap[0].time < quantum.upperBound &+ lookahead {
      active.pointee.insert(heap[0], noEarlierThan: quantum.lowerBound)
      removeFirst()
    }
    active.pointee.advance(to: quantum)
    let isUnderWay = active.pointee.count > 0
    isBusy = isUnderWay || count > 0
    return isUnderWay ? UnsafePointer(active) : nil
  }

  /// Sends home at once what was dropped. Only while nothing renders.
  mutating func startOver() {
    takeOver(at: 0)
    isBusy = active.pointee.count > 0 || count > 0
  }

  /// Takes over what was scheduled, and drops what was taken back.
  @_noLocks
  private mutating func takeOver(at time: Int64) {
    let cancelled = cancellation.pointee.order.load(ordering: .acquiring)
    while let change = incoming.pop() {
      if change.isHold { makeWay(for: change, at: time) }
      insert(change)
    }
    if cancelled != self.cancelled { discard(through: cancelled) }
    self.cancelled = cancelled
  }

  /// Drops the changes of a parameter that begin when a hold does, or later.
  @_noLocks
  private mutating func makeWay(for hold: ScheduledChange, at time: Int64) {
    active.pointee.cancel(hold.cell, from: max(hold.time, time))
    let all = count
    count = 0
    for index in 0..<all {
      let change = heap[index]
      if change.cell == hold.cell, change.time >= hold.time { _ = done.push(change.parameter) } else { insert(change) }
    }
  }

  /// Sends home what was asked for no later than `order`, and builds the heap of the rest.
  @_noLocks
  private mutating func discard(through order: UInt64) {
    active.pointee.discard(through: order)
    let all = count
    count = 0
    for index in 0..<all {
      let change = heap[index]
      // There is room: the control side counts what is on its way.
      if change.order > order { insert(change) } else { _ = done.push(change.parameter) }
    }
  }

  @_noLocks
  private mutating func insert(_ change: ScheduledChange) {
    var place = count
    count &+= 1
    while place > 0, change.isBefore(heap[(place &- 1) / 2]) {
      heap[place] = heap[(place &- 1) / 2]
      place = (place &- 1) / 2
    }
    heap[place] = change
  }

  @_noLocks
  private mutating func removeFirst() {
    count &-= 1
    let change = heap[count]
    var place = 0
    while true {
      var child = 2 &* place &+ 1
      guard child < count else { break }
      if child &+ 1 < count, heap[child &+ 1].isBefore(heap[child]) { child &+= 1 }
      guard heap[child].isBefore(change) else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = change
  }
}
