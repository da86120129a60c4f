/// Carries blocks of planar samples, each with a header, from one thread to another. [any thread]
///
/// The number of blocks is fixed. A block that does not fit is refused; none is overwritten.
public final class BlockRing<Header: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// Of every block.
  public let channelCount: Int
  private let headers: RingBuffer<Header>
  private let samples: UnsafeMutablePointer<Float>
  private let blockLength: Int

  /// - Parameters:
  ///   - blockLength: the most frames in a block.
  ///   - minimumCapacity: in blocks; rounded up to a power of two.
  public init(channelCount: Int, blockLength: Int, minimumCapacity: Int) {
    self.channelCount = channelCount
    self.blockLength = blockLength
    headers = RingBuffer(minimumCapacity: minimumCapacity)
    let count = headers.capacity * channelCount * blockLength
    samples = .allocate(capacity: count)
    samples.initialize(repeating: 0, count: count)
  }

  deinit { samples.deallocate() }

  /// In blocks.
  public var capacity: Int { headers.capacity }

  /// How many blocks wait, as `RingBuffer.count`. [any thread]
  public var count: Int { headers.count }

  /// The writing end, for one thread at a time. It does not keep the ring alive.
  public var producer: Producer { Producer(headers: headers.producer, slots: slots) }

  /// The reading end, for one thread at a time. It does not keep the ring alive.
  public var consumer: Consumer { Consumer(headers: headers.consumer, slots: slots) }

  private var slots: BlockSlots {
    BlockSlots(samples: samples, mask: capacity - 1, channelCount: channelCount, blockLength: blockLength)
  }

  /// The writing end of a ring.
  public struct Producer: @unchecked Sendable {
    @usableFromInline let headers: RingBuffer<Header>.Producer
    @usableFromInline let slots: BlockSlots

    /// Whether the next `push` will be refused.
    @inlinable public var isFull: Bool { headers.isFull }

    /// Of every block. [any thread]
    public var channelCount: Int {
      @_noLocks @inlinable get { slots.channelCount }
    }

    /// Where a channel of the next block is to be written before `push`, unless the ring is full.
    @inlinable public func next(_ channel: Int) -> UnsafeMutablePointer<Float> {
      slots.channel(channel, ofBlock: headers.pushCount)
    }

    /// Appends the block that was written; false when the ring is full.
    @inlinable public func push(_ header: Header) -> Bool { headers.push(header) }
  }

  /// The reading end of a ring.
  public struct Consumer: @unchecked Sendable {
    @usableFromInline let headers: RingBuffer<Header>.Consumer
    @usableFromInline let slots: BlockSlots

    /// Of every block. [any thread]
    public var channelCount: Int {
      @_noLocks @inlinable get { slots.channelCount }
    }

    /// The header of the oldest block, left in its place; nil when the ring is empty.
    @inlinable public func peek() -> Header? { headers.peek() }

    /// The header of the block so many places behind the oldest; nil behind the newest.
    @inlinable public func peek(_ distance: Int) -> Header? { headers.peek(distance) }

    /// A channel of the oldest block.
    @inlinable public func oldest(_ channel: Int) -> UnsafePointer<Float> {
      UnsafePointer(slots.channel(channel, ofBlock: headers.popCount))
    }

    /// Releases the oldest block.
    @inlinable public func drop() { _ = headers.pop() }
  }
}

/// Where the blocks of a ring lie: one slot for each, with its channels one after the other.
@usableFromInline struct BlockSlots {
  @usableFromInline let samples: UnsafeMutablePointer<Float>
  @usableFromInline let mask: Int
  @usableFromInline let channelCount: Int
  @usableFromInline let blockLength: Int

  @_noLocks
  @usableFromInline func channel(_ channel: Int, ofBlock number: Int) -> UnsafeMutablePointer<Float> {
    samples + ((number & mask) &* channelCount &+ channel) &* blockLength
  }
}
