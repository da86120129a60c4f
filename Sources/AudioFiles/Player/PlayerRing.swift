import Realtime
import Synchronization

/// The way of decoded audio to the audio thread: a fixed number of blocks, from one thread to one other.
///
/// Each `stop` puts a new one in its place, so that what is scheduled after it need not wait for room.
final class PlayerRing: @unchecked Sendable {
  let channelCount: Int
  /// The audio thread's end, before anything is read. It does not keep the ring alive.
  let reader: PlayerRingReader
  /// In blocks.
  let capacity: Int
  private let blocks: RingBuffer<PlayerBlock>
  /// One place per block, its channels one after the other.
  private let samples: UnsafeMutablePointer<Float>
  /// How many blocks have been written. [writing thread]
  private var written = 0

  /// - Parameter generation: tells it from those before it; from 1.
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

  /// Whether the next `write` would be refused. [writing thread]
  var isFull: Bool { blocks.producer.isFull }

  /// Appends a block, with its planar samples; there is room. [writing thread]
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
  /// Which segment they belong to.
  let id: Int
  /// When the segment begins, if all before it have ended by then.
  let startTime: Int64
  let frameCount: Int
  /// The segment begins, or ends, with this block.
  let isFirst: Bool
  let isLast: Bool

  /// The most frames there can be in one.
  static var longest: Int { @_noLocks get { 1024 } }
}

/// The ring as its kernel reads it, frame by frame. [audio thread]
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

  /// The oldest block, if there is one.
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

  /// Gives back the oldest block's room.
  @_noLocks
  mutating func drop() {
    _ = blocks.pop()
    taken &+= 1
    offset = 0
  }
}
