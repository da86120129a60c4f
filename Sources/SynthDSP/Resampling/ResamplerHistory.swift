/// The last frames of a stream, planar, whose windows are contiguous in memory: a ring with a copy of itself behind it.
struct ResamplerHistory: ~Copyable {
  /// In frames.
  let capacity: Int
  /// How many frames came in. Those before the first are silent.
  private(set) var end = 0
  private let channelCount: Int
  private let samples: UnsafeMutablePointer<Float>
  /// The place of the next frame.
  private var slot = 0

  init(channelCount: Int, capacity: Int) {
    self.channelCount = channelCount
    self.capacity = capacity
    samples = .allocate(capacity: channelCount * 2 * capacity)
    samples.initialize(repeating: 0, count: channelCount * 2 * capacity)
  }

  deinit { samples.deallocate() }

  /// From a channel to the next, in samples.
  var stride: Int {
    @_noLocks @_noAllocation get { 2 &* capacity }
  }

  /// Forgets all frames.
  @_noLocks @_noAllocation
  mutating func reset() {
    let used = min(end, capacity)
    for copy in 0..<2 &* channelCount { (samples + copy &* capacity).update(repeating: 0, count: used) }
    (end, slot) = (0, 0)
  }

  /// Appends interleaved frames.
  @_noLocks @_noAllocation
  mutating func append(_ frames: UnsafePointer<Float>, count: Int) {
    var (source, left) = (frames, count)
    while left > 0 {
      let run = min(left, capacity &- slot)
      for channel in 0..<channelCount {
        let first = samples + (channel &* stride &+ slot)
        let second = first + capacity
        for frame in 0..<run {
          let sample = source[frame &* channelCount &+ channel]
          first[frame] = sample
          second[frame] = sample
        }
      }
      source += run &* channelCount
      left &-= run
      end &+= run
      slot &+= run
      if slot == capacity { slot = 0 }
    }
  }

  /// The first channel from a frame on, one of the last `capacity`.
  @_noLocks @_noAllocation
  func window(from frame: Int) -> UnsafePointer<Float> {
    let place = slot &- (end &- frame)
    return UnsafePointer(samples + (place < 0 ? place &+ capacity : place))
  }
}
