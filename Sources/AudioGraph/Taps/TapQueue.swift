import Synchronization
import SynthRealtime

/// What one tap has caught and was not read yet: a ring for each format there was, the oldest first.
final class TapQueue: Sendable {
  /// Frames that fit, in quanta.
  let capacity: Int
  private let state = CheckedMutex(State())

  private struct State: Sendable {
    var rings: [TapRing] = []
    /// Of rings that are gone.
    var droppedFrameCount = 0

    mutating func dropRings(where isDone: (TapRing) -> Bool) {
      droppedFrameCount += rings.filter(isDone).reduce(0) { $0 + $1.droppedFrameCount }
      rings.removeAll(where: isDone)
    }
  }

  /// What is handed over at a time, at most.
  static let longestBlock = 64 * renderQuantum

  /// - Parameter frameCapacity: brought into the range of 16384 to 67108864.
  init(frameCapacity: Int) {
    let frames = min(max(frameCapacity, 4 * Self.longestBlock), 1 << 26)
    capacity = (frames + renderQuantum - 1) / renderQuantum
  }

  /// Half a gigabyte, or up to one, since a ring is a power of two.
  private static let mostSamples = 1 << 27

  func hasMemory(for format: AudioFormat) -> Bool {
    capacity * renderQuantum * format.channelCount <= Self.mostSamples
  }

  /// A ring for what is rendered from now on, so many frames after the bus has carried it. [control thread]
  func addRing(for format: AudioFormat, latency: Int, time: BusTime) -> TapRing {
    let ring = TapRing(format: format, latency: latency, time: time, capacity: capacity)
    state.withLock { state in
      state.dropRings { $0.isAbandoned && $0.count == 0 }
      state.rings.append(ring)
    }
    return ring
  }

  /// [any thread]
  var droppedFrameCount: Int {
    state.withLock { state in state.rings.reduce(state.droppedFrameCount) { $0 + $1.droppedFrameCount } }
  }

  /// Whether half of the capacity is free. [any thread]
  var hasRoom: Bool {
    state.withLock { $0.rings.allSatisfy { $0.count <= capacity / 2 } }
  }

  /// Hands over all there is. [any thread], one at a time
  func read(_ take: (TapBlock) throws -> Void) rethrows {
    while let ring = oldest() {
      let block = SampleBuffer(channelCount: ring.format.channelCount, frameCapacity: Self.longestBlock)
      var first = TapHeader()
      while case let quanta = ring.take(into: block, first: &first), quanta > 0 {
        try take(
          TapBlock(
            sampleTime: first.sampleTime - Int64(ring.latency), hostTime: first.hostTime, format: ring.format,
            frameCount: quanta * renderQuantum, time: ring.time, channels: block.channels))
      }
      guard retire(ring) else { return }
    }
  }

  private func oldest() -> TapRing? { state.withLock { $0.rings.first } }

  /// Drops an empty ring that is not written any more; false if it may be.
  ///
  /// A later ring that has something proves it: plans are adopted in the order in which they were made.
  private func retire(_ ring: TapRing) -> Bool {
    state.withLock { state in
      guard ring.isAbandoned || state.rings.contains(where: { $0 !== ring && $0.count > 0 }) else { return false }
      // Between the last look and the proof more may have come.
      guard ring.count == 0 else { return true }
      state.dropRings { $0 === ring }
      return true
    }
  }
}

/// The way of tapped audio of one format off the audio thread: a block for each quantum.
final class TapRing: Sendable {
  let format: AudioFormat
  let latency: Int
  let time: BusTime
  private let blocks: BlockRing<TapHeader>
  private let status = Box(TapStatus())

  /// - Parameter capacity: in quanta.
  init(format: AudioFormat, latency: Int, time: BusTime, capacity: Int) {
    self.format = format
    self.latency = latency
    self.time = time
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
