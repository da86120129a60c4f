import SynthMIDI

/// Live events in the order of their times, those of one time in the order in which they were sent: a binary heap of a
/// fixed size. [audio thread]
///
/// A time that has passed when the event arrives is the quantum in which it arrives. The queue belongs to the input,
/// because it outlives kernels.
struct EventQueue: ~Copyable {
  private struct Entry: BitwiseCopyable {
    let time: Int64
    /// How many events were sent before it.
    let order: Int
    let event: MIDIEvent

    @_noLocks
    func isBefore(_ other: Entry) -> Bool { time < other.time || (time == other.time && order < other.order) }
  }

  private let heap: UnsafeMutablePointer<Entry>
  private var count = 0
  /// The payload of the event that is being played; it is given back when the next one is asked for.
  var playedPayload: UnsafePointer<UInt8>?

  /// - Parameter capacity: the sender keeps to it.
  init(capacity: Int) { heap = .allocate(capacity: capacity) }

  deinit { heap.deallocate() }

  /// What comes next.
  var first: MIDIEvent? {
    @_noLocks get { count > 0 ? heap[0].event : nil }
  }

  @_noLocks
  mutating func insert(_ event: MIDIEvent, order: Int, noEarlierThan start: Int64) {
    insert(Entry(time: max(event.time, start), order: order, event: event))
  }

  @_noLocks
  private mutating func insert(_ entry: Entry) {
    var place = count
    count &+= 1
    while place > 0, entry.isBefore(heap[(place &- 1) / 2]) {
      heap[place] = heap[(place &- 1) / 2]
      place = (place &- 1) / 2
    }
    heap[place] = entry
  }

  @_noLocks
  mutating func removeFirst() {
    count &-= 1
    let entry = heap[count]
    var place = 0
    while true {
      var child = 2 &* place &+ 1
      guard child < count else { break }
      if child &+ 1 < count, heap[child &+ 1].isBefore(heap[child]) { child &+= 1 }
      guard heap[child].isBefore(entry) else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = entry
  }

  /// Drops what was sent before so many had been.
  @_noLocks
  mutating func removeAll(sentBefore order: Int, _ drop: (MIDIEvent) -> Void) {
    let all = count
    count = 0
    for index in 0..<all {
      let entry = heap[index]
      // It overwrites only what has been looked at.
      if entry.order < order { drop(entry.event) } else { insert(entry) }
    }
  }
}
