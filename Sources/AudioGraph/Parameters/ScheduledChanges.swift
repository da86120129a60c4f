import Realtime

/// Scheduled parameter changes as the renderer holds them: a binary heap, the earliest on top. [audio thread]
struct ScheduledChanges: ~Copyable {
  private let incoming: RingBuffer<ScheduledChange>.Consumer
  private let done: RingBuffer<UInt>.Producer
  private let heap: UnsafeMutablePointer<ScheduledChange>
  private var count = 0

  init(incoming: RingBuffer<ScheduledChange>.Consumer, done: RingBuffer<UInt>.Producer) {
    self.incoming = incoming
    self.done = done
    heap = .allocate(capacity: ParameterSchedule.capacity)
  }

  deinit {
    for index in 0..<count {
      guard let pointer = UnsafeRawPointer(bitPattern: heap[index].parameter) else { continue }
      Unmanaged<Parameter>.fromOpaque(pointer).release()
    }
    heap.deallocate()
  }

  /// Carries out what is due before a time.
  @_noLocks
  mutating func apply(before time: Int64) {
    while let change = incoming.pop() { insert(change) }
    while count > 0, heap[0].time < time {
      heap[0].cell.pointee.store(heap[0].word)
      // There is room: the control side counts what is on its way.
      _ = done.push(heap[0].parameter)
      removeFirst()
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
