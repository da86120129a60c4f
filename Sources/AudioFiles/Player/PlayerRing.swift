import Realtime
import Synchronization

/// Carries decoded audio to the audio thread, in a fixed number of blocks.
///
/// Each `stop` replaces it, so that later segments need not wait for room.
final class PlayerRing: @unchecked Sendable {
  let channelCount: Int
  /// The reading end at its start. It does not keep the ring alive.
  let reader: PlayerRingReader
  /// In blocks.
  let capacity: Int
  private let blocks: RingBuffer<PlayerBlock>
  /// One slot for each block, with its channels one after the other.
  private let samples: UnsafeMutablePointer<Float>
  /// How many blocks have been written. [control thread]
  private var written = 0

  /// - Parameter generation: distinguishes it from earlier rings; from 1.
  init(channelCount: Int, frameCapacity: Int, generation: Int) {
    self.channelCount = channelCount
    blocks = RingBuffer(minimumCapacity: max(4, frameCapacity / PlayerBlock.longest))
    capacity = blocks.capacity
    samples = .allocate(capacity: capacity * channelCount * PlayerBlock.longest)
    samples.initialize(repeating: 0, count: capacity * channelCount * PlayerBlock.longest)
    reader = PlayerRingReader(
      generation: generation, blocks: blocks.consumer, samples: samples, capacity: capacity,
      channelCount: channelCount)
  }

  deinit { samples.deallocate() }

  /// Whether the next `write` would be refused. [control thread]
  var isFull: Bool { blocks.producer.isFull }

  /// Appends a block, with its planar samples; there must be room. [control thread]
  func write(_ block: PlayerBlock, _ channels: [[Float]]) {
    let place = samples + (written & (capacity - 1)) * channelCount * PlayerBlock.longest
    for (channel, samples) in channels.enumerated() {
      samples.withUnsafeBufferPointer { samples in
        guard let first = samples.baseAddress else { return }
        copySamples(from: first, to: place + channel * PlayerBlock.longest, count: samples.count)
      }
    }
    written &+= 1
    _ = blocks.producer.push(block)
  }
}

/// Some frames of a segment.
struct PlayerBlock: BitwiseCopyable, Sendable {
  /// The segment's number.
  let id: Int
  /// The segment's sample time, if all segments before it have ended by then.
  let startTime: Int64
  let frameCount: Int
  /// Whether the segment begins or ends with this block.
  let isFirst: Bool
  let isLast: Bool

  /// The most frames in a block.
  static var longest: Int { @_noLocks get { 1024 } }
}

/// The reading end of a ring. [audio thread]
struct PlayerRingReader: @unchecked Sendable {
  let generation: Int
  let blocks: RingBuffer<PlayerBlock>.Consumer
  let samples: UnsafeMutablePointer<Float>
  let capacity: Int
  let channelCount: Int
  /// How many blocks have been taken.
  private var taken = 0
  /// How many frames of the block have been read.
  private(set) var offset = 0

  init(
    generation: Int, blocks: RingBuffer<PlayerBlock>.Consumer, samples: UnsafeMutablePointer<Float>, capacity: Int,
    channelCount: Int
  ) {
    self.generation = generation
    self.blocks = blocks
    self.samples = samples
    self.capacity = capacity
    self.channelCount = channelCount
  }

  /// The oldest block; nil when the ring is empty.
  @_noLocks
  func peek() -> PlayerBlock? { blocks.peek() }

  /// The next unread sample of a channel of the oldest block.
  @_noLocks
  func unread(_ channel: Int) -> UnsafePointer<Float> {
    let place = (taken & (capacity &- 1)) &* channelCount &+ channel
    return UnsafePointer(samples + place &* PlayerBlock.longest + offset)
  }

  @_noLocks
  mutating func advance(by frameCount: Int) { offset &+= frameCount }

  /// Releases the oldest block.
  @_noLocks
  mutating func drop() {
    _ = blocks.pop()
    taken &+= 1
    offset = 0
  }
}
