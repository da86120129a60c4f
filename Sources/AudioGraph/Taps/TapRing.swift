import Realtime
import Synchronization

/// The way of tapped audio off the audio thread: a fixed number of quanta of one format, from one thread to one other.
final class TapRing: @unchecked Sendable {
  let format: AudioFormat
  /// In quanta.
  let capacity: Int
  private let headers: RingBuffer<TapHeader>
  private let samples: UnsafeMutablePointer<Float>
  private let status = Box(TapStatus())
  /// How many quanta have been taken. [any thread], the one that reads
  private var taken = 0

  init(format: AudioFormat, capacity: Int) {
    self.format = format
    headers = RingBuffer(minimumCapacity: capacity)
    self.capacity = headers.capacity
    let count = self.capacity * format.channelCount * renderQuantum
    samples = .allocate(capacity: count)
    samples.initialize(repeating: 0, count: count)
  }

  deinit { samples.deallocate() }

  /// Frames for which there was no room. [any thread]
  var droppedFrameCount: Int { status.pointer.pointee.droppedQuanta.load(ordering: .relaxed) * renderQuantum }

  /// How many quanta wait to be read. [any thread]
  var count: Int { headers.count }

  /// Whether nothing will be written any more: no plan uses the writer.
  var isAbandoned: Bool { status.pointer.pointee.isAbandoned.load(ordering: .acquiring) }

  /// What the writer's kernel retains.
  var lease: AnyObject { TapLease(self, status) }

  /// The audio thread's end. It does not keep the ring alive.
  var writer: TapWriter {
    TapWriter(
      headers: headers.producer, samples: samples, capacity: capacity, channelCount: format.channelCount,
      status: status.pointer)
  }

  /// Takes quanta that follow each other without a gap into `block`, as many as there are and as fit: their count.
  /// [any thread], the one that reads
  func take(into block: SampleBuffer, first: inout TapHeader) -> Int {
    let consumer = headers.consumer
    var count = 0
    while count < block.frameCapacity / renderQuantum, let header = consumer.peek() {
      if count == 0 { first = header }
      guard header.sampleTime == first.sampleTime &+ Int64(count * renderQuantum) else { break }
      copyQuantum(taken & (capacity - 1), into: block, at: count)
      taken &+= 1
      count += 1
      _ = consumer.pop()
    }
    return count
  }

  private func copyQuantum(_ slot: Int, into block: SampleBuffer, at index: Int) {
    for channel in 0..<format.channelCount {
      copySamples(
        from: samples + (slot * format.channelCount + channel) * renderQuantum,
        to: block.channels[channel] + index * renderQuantum, count: renderQuantum)
    }
  }
}

/// When a quantum was tapped.
struct TapHeader: BitwiseCopyable, Sendable {
  var sampleTime: Int64 = 0
  var hostTime: UInt64 = 0
}

/// What both ends of a ring know of each other.
struct TapStatus: ~Copyable {
  let droppedQuanta = Atomic<Int>(0)
  let isAbandoned = Atomic<Bool>(false)
}

/// Keeps a ring alive for its writer, and tells the ring when that is gone.
private final class TapLease {
  private let ring: TapRing
  private let status: Box<TapStatus>

  init(_ ring: TapRing, _ status: Box<TapStatus>) {
    self.ring = ring
    self.status = status
  }

  deinit { status.pointer.pointee.isAbandoned.store(true, ordering: .releasing) }
}

/// The render side of a tap. [audio thread]
struct TapWriter {
  let headers: RingBuffer<TapHeader>.Producer
  let samples: UnsafeMutablePointer<Float>
  let capacity: Int
  let channelCount: Int
  let status: UnsafeMutablePointer<TapStatus>
  /// How many quanta have been written.
  var written = 0

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: TapWriter.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    guard !headers.isFull else {
      status.pointee.droppedQuanta.add(1, ordering: .relaxed)
      return
    }
    let input = context.input(0)
    let slot = written & (capacity &- 1)
    for channel in 0..<channelCount {
      copySamples(
        from: input[channel], to: samples + (slot &* channelCount &+ channel) &* renderQuantum, count: renderQuantum)
    }
    written &+= 1
    _ = headers.push(TapHeader(sampleTime: context.sampleTime, hostTime: context.hostTime))
  }
}
