import DSP
import Synchronization

/// A wait-free ring of interleaved float frames from one thread to one other, whose frames are numbered from the start of
/// the stream.
///
/// What does not fit is left out, but keeps its numbers: the consumer finds a hole, not another stream.
struct FrameRing: ~Copyable {
  let channelCount: Int
  /// In frames, a power of two.
  let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  private let head = Atomic(0)
  private let tail = Atomic(0)
  private let holeEnd = Atomic(0)
  private let ended = Atomic(false)

  init(channelCount: Int, minimumCapacity: Int) {
    self.channelCount = channelCount
    var capacity = 1024
    while capacity < minimumCapacity { capacity *= 2 }
    self.capacity = capacity
    samples = .allocate(capacity: capacity * channelCount)
    samples.initialize(repeating: 0, count: capacity * channelCount)
  }

  deinit { samples.deallocate() }

  /// Begins a stream. [no thread runs]
  func reset() {
    head.store(0, ordering: .relaxed)
    tail.store(0, ordering: .relaxed)
    holeEnd.store(0, ordering: .relaxed)
    ended.store(false, ordering: .releasing)
  }

  /// Whether that many frames fit. [producer]
  @_noLocks @_noAllocation
  func hasRoom(for frameCount: Int) -> Bool {
    tail.load(ordering: .relaxed) &- head.load(ordering: .acquiring) &+ frameCount <= capacity
  }

  /// Appends frames, or a hole of as many if they do not fit. [producer]
  @_noLocks @_noAllocation
  func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from first: Int, frameCount: Int) {
    let start = tail.load(ordering: .relaxed)
    let end = start &+ frameCount
    guard hasRoom(for: frameCount) else {
      holeEnd.store(end, ordering: .relaxed)
      return tail.store(end, ordering: .releasing)
    }
    for channel in 0..<channelCount {
      let source = channels[first &+ channel]
      for frame in 0..<frameCount {
        samples[((start &+ frame) & (capacity &- 1)) &* channelCount &+ channel] = source[frame]
      }
    }
    tail.store(end, ordering: .releasing)
  }

  /// No frame will follow. [producer, or when it has stopped]
  @_noLocks @_noAllocation
  func end() { ended.store(true, ordering: .releasing) }

  /// Whether no frame will follow; asked before `endIndex`. [any thread]
  var hasEnded: Bool {
    @_noLocks @_noAllocation get { ended.load(ordering: .acquiring) }
  }

  /// The number of the frame after the last. [any thread]
  var endIndex: Int {
    @_noLocks @_noAllocation get { tail.load(ordering: .acquiring) }
  }

  /// The number of the first frame that is there, holes left out. [consumer]
  var startIndex: Int {
    @_noLocks @_noAllocation get {
      _ = tail.load(ordering: .acquiring)
      return max(head.load(ordering: .relaxed), holeEnd.load(ordering: .relaxed))
    }
  }

  /// The number of the first frame that has not been released. [consumer]
  var releasedIndex: Int {
    @_noLocks @_noAllocation get { head.load(ordering: .relaxed) }
  }

  /// The frames from that number on that lie together in memory, `limit` at most. [consumer]
  @_noLocks @_noAllocation
  func frames(from index: Int, limit: Int) -> (first: UnsafePointer<Float>, count: Int) {
    let place = index & (capacity &- 1)
    let count = min(limit, min(endIndex &- index, capacity &- place))
    return (UnsafePointer(samples + place &* channelCount), max(0, count))
  }

  /// Gives back the room of all frames before that number, which is never beyond the end. [consumer]
  @_noLocks @_noAllocation
  func release(upTo index: Int) { head.store(index, ordering: .releasing) }
}
