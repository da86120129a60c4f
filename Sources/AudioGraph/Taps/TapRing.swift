import Realtime
import Synchronization

/// The way of tapped audio of one format off the audio thread: a block for each quantum.
final class TapRing: Sendable {
  let format: AudioFormat
  private let blocks: BlockRing<TapHeader>
  private let status = Box(TapStatus())

  /// - Parameter capacity: in quanta.
  init(format: AudioFormat, capacity: Int) {
    self.format = format
    blocks = BlockRing(channelCount: format.channelCount, blockLength: renderQuantum, minimumCapacity: capacity)
  }

  /// Frames for which there was no room. [any thread]
  var droppedFrameCount: Int { status.pointer.pointee.droppedQuanta.load(ordering: .relaxed) * renderQuantum }

  /// How many quanta wait to be read. [any thread]
  var count: Int { blocks.count }

  /// Whether nothing will be written any more: no plan uses the writer.
  var isAbandoned: Bool { status.pointer.pointee.isAbandoned.load(ordering: .acquiring) }

  /// A kernel that writes what it hears, and keeps the ring alive.
  var kernel: Kernel {
    Kernel(
      TapWriter(blocks: blocks.producer, status: status.pointer), retaining: [TapLease(self, status)],
      entry: TapWriter.entry)
  }

  /// Takes quanta that follow each other without a gap into `block`, as many as there are and as fit: their count.
  /// [any thread], the one that reads
  func take(into block: SampleBuffer, first: inout TapHeader) -> Int {
    let consumer = blocks.consumer
    var count = 0
    while count < block.frameCapacity / renderQuantum, let header = consumer.peek() {
      if count == 0 { first = header }
      guard header.sampleTime == first.sampleTime &+ Int64(count * renderQuantum) else { break }
      for channel in 0..<format.channelCount {
        copySamples(
          from: consumer.oldest(channel), to: block.channels[channel] + count * renderQuantum, count: renderQuantum)
      }
      count += 1
      consumer.drop()
    }
    return count
  }
}

/// When a quantum was tapped.
struct TapHeader: BitwiseCopyable, Sendable {
  var sampleTime: Int64 = 0
  var hostTime: UInt64 = 0
}

/// What both ends of a ring know of each other.
private struct TapStatus: ~Copyable {
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
private struct TapWriter {
  let blocks: BlockRing<TapHeader>.Producer
  let status: UnsafeMutablePointer<TapStatus>

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: TapWriter.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  func render(_ context: RenderContext) {
    guard !blocks.isFull else {
      status.pointee.droppedQuanta.add(1, ordering: .relaxed)
      return
    }
    let input = context.input(0)
    for channel in 0..<blocks.channelCount {
      copySamples(from: input[channel], to: blocks.next(channel), count: renderQuantum)
    }
    _ = blocks.push(TapHeader(sampleTime: context.sampleTime, hostTime: context.hostTime))
  }
}
