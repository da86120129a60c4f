import Synchronization

/// A wait-free ring of interleaved float frames from one thread to one other, whose frames are numbered from the start
/// of the stream.
///
/// Frames that do not fit are left out but counted: the consumer finds a gap, and later frames keep their numbers.
package struct FrameRing: ~Copyable {
  package let channelCount: Int
  /// In frames, a power of two.
  package let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  private let head = Atomic(0)
  private let tail = Atomic(0)
  private let holeStart = Atomic(0)
  private let holeEnd = Atomic(0)
  private let ended = Atomic(false)

  package init(channelCount: Int, minimumCapacity: Int) {
    self.channelCount = channelCount
    var capacity = 1024
    while capacity < minimumCapacity { capacity *= 2 }
    self.capacity = capacity
    samples = .allocate(capacity: capacity * channelCount)
    samples.initialize(repeating: 0, count: capacity * channelCount)
  }

  deinit { samples.deallocate() }

  /// Begins a stream, before the start. [control thread]
  package func reset() {
    head.store(0, ordering: .relaxed)
    tail.store(0, ordering: .relaxed)
    holeStart.store(0, ordering: .relaxed)
    holeEnd.store(0, ordering: .relaxed)
    ended.store(false, ordering: .releasing)
  }

  /// Whether this many frames fit. For the producer. [audio thread]
  @_noLocks @_noAllocation
  package func hasRoom(for frameCount: Int) -> Bool {
    tail.load(ordering: .relaxed) &- head.load(ordering: .acquiring) &+ frameCount <= capacity
  }

  /// Appends frames, or a gap of as many if they do not fit: how many frames are lost. For the producer. [audio thread]
  ///
  /// A gap that the consumer has not passed yet grows over the frames after it: there is one at a time.
  @_noLocks @_noAllocation @discardableResult
  package func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from first: Int, frameCount: Int) -> Int {
    let start = tail.load(ordering: .relaxed)
    let end = start &+ frameCount
    guard hasRoom(for: frameCount) else {
      let last = holeEnd.load(ordering: .relaxed)
      let isPassed = head.load(ordering: .acquiring) >= last
      if isPassed { holeStart.store(start, ordering: .relaxed) }
      holeEnd.store(end, ordering: .releasing)
      tail.store(end, ordering: .releasing)
      return end &- (isPassed ? start : last)
    }
    for channel in 0..<channelCount {
      let source = channels[first &+ channel]
      for frame in 0..<frameCount {
        samples[((start &+ frame) & (capacity &- 1)) &* channelCount &+ channel] = source[frame]
      }
    }
    tail.store(end, ordering: .releasing)
    return 0
  }

  /// Notes that no frame will follow. For the producer, or when it has stopped. [any thread]
  @_noLocks @_noAllocation
  package func end() { ended.store(true, ordering: .releasing) }

  /// Whether no frame will follow; to be read before `endIndex`. [any thread]
  package var hasEnded: Bool {
    @_noLocks @_noAllocation get { ended.load(ordering: .acquiring) }
  }

  /// The number of the frame after the last. [any thread]
  package var endIndex: Int {
    @_noLocks @_noAllocation get { tail.load(ordering: .acquiring) }
  }

  /// The number of frames between the first that is not released and the end, gaps included. [any thread]
  package var fill: Int {
    let end = endIndex
    return max(0, end - head.load(ordering: .relaxed))
  }

  /// The number of the first frame after the last gap. For the consumer. [audio thread]
  package var startIndex: Int {
    @_noLocks @_noAllocation get {
      _ = tail.load(ordering: .acquiring)
      return max(head.load(ordering: .relaxed), holeEnd.load(ordering: .relaxed))
    }
  }

  /// The frames of the gap that is not passed yet, if there is one, up to a number that `endIndex` has given: empty
  /// else. For the consumer. [audio thread]
  @_noLocks @_noAllocation
  package func gap(before end: Int) -> (start: Int, end: Int) {
    // The end first, which is written last: the start is of the same gap, or of a later one, which begins at `end` or
    // behind it.
    let last = min(end, holeEnd.load(ordering: .acquiring))
    let start = min(end, holeStart.load(ordering: .relaxed))
    return (start, max(start, last))
  }

  /// The frames from this number on that are contiguous in memory, at most `limit`. For the consumer. [audio thread]
  @_noLocks @_noAllocation
  package func frames(from index: Int, limit: Int) -> (first: UnsafePointer<Float>, count: Int) {
    let place = index & (capacity &- 1)
    let count = min(limit, min(endIndex &- index, capacity &- place))
    return (UnsafePointer(samples + place &* channelCount), max(0, count))
  }

  /// Releases all frames before this number, which is never beyond the end. For the consumer. [audio thread]
  @_noLocks @_noAllocation
  package func release(upTo index: Int) { head.store(index, ordering: .releasing) }
}
