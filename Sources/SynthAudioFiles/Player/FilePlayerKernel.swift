import AudioGraph
import Synchronization
import SynthDSP
import SynthRealtime

/// The file player's render side.
struct FilePlayerKernel: ~Copyable {
  private let cell: UnsafeMutablePointer<FilePlayerCell>
  private let time: BusTime
  private let news: RingBuffer<PlayerNews>.Producer
  private let rings: Handoff<PlayerRing>.Receiver
  private var held: Unmanaged<PlayerRing>?
  /// The ring that is held, read up to `offset` in its oldest block.
  private var blocks: BlockRing<PlayerBlock>.Consumer
  private var generation: Int
  private var offset = 0
  /// Whether a segment has begun and not ended.
  private var isInside = false
  private var isPlaying = false

  init(_ feed: FilePlayerFeed, _ time: BusTime) {
    cell = feed.cell
    self.time = time
    news = feed.news.producer
    rings = feed.rings.receiver
    let present = feed.ring
    held = .passRetained(present)
    blocks = present.consumer
    generation = present.generation
  }

  deinit { held?.release() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: FilePlayerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    let shallPlay = cell.pointee.isPlaying.load(ordering: .acquiring)
    let newest = cell.pointee.generation.load(ordering: .acquiring)
    // A pause or stop fades out within a quantum, and playing on fades in within one.
    let isCut = generation < cell.pointee.cutGeneration.load(ordering: .relaxed)
    let isEnding = isPlaying && isInside && !isCut && (!shallPlay || newest != generation)
    let isResuming = !isPlaying && isInside && shallPlay && newest == generation
    if !isEnding, newest != generation { begin() }
    if shallPlay || isEnding {
      let missing = play(into: output, at: context.sampleTime)
      if missing > 0, !isEnding { cell.pointee.missingFrames.add(missing, ordering: .relaxed) }
    } else {
      output.silence()
    }
    if isEnding { fade(output, GainSegment(start: 1, step: -1 / quantumFrames)) }
    if isResuming { fade(output, GainSegment(start: 0, step: 1 / quantumFrames)) }
    if isEnding, newest != generation { begin() }
    isPlaying = shallPlay
  }

  /// Changes to the ring of what was scheduled after the last `stop`.
  @_noLocks
  private mutating func begin() {
    guard rings.adopt(&held), let held else { return }
    blocks = held._withUnsafeGuaranteedRef { $0.consumer }
    generation = held._withUnsafeGuaranteedRef { $0.generation }
    offset = 0
    isInside = false
  }

  /// Fills a quantum with the segments that are due, and silence between them: how many frames were not read in time.
  @_noLocks
  private mutating func play(into output: Bus, at sampleTime: Int64) -> Int {
    var done = 0
    var isSilent = true
    while done < renderQuantum, let block = blocks.peek() {
      if block.isFirst, offset == 0, !isInside {
        let gap = time.busFrame(of: block.startTime) &- (sampleTime &+ Int64(done))
        guard gap <= 0 || block.startTime == .min else {
          let silent = Int(min(gap, Int64(renderQuantum &- done)))
          silence(output, from: done, count: silent)
          done &+= silent
          continue
        }
        isInside = true
      }
      let count = min(renderQuantum &- done, block.frameCount &- offset)
      for channel in 0..<min(output.channelCount, blocks.channelCount) {
        copySamples(from: blocks.oldest(channel) + offset, to: output[channel] + done, count: count)
      }
      if count > 0 { isSilent = false }
      done &+= count
      offset &+= count
      if offset == block.frameCount { finish(block, at: sampleTime &+ Int64(done)) }
    }
    silence(output, from: done, count: renderQuantum &- done)
    output.isSilent = isSilent
    return isInside ? renderQuantum &- done : 0
  }

  @_noLocks
  private mutating func finish(_ block: PlayerBlock, at sampleTime: Int64) {
    blocks.drop()
    offset = 0
    guard block.isLast else { return }
    isInside = false
    // It has room for more ends than the ring has blocks.
    _ = news.push(PlayerNews(id: block.id, sampleTime: time.engineFrame(of: sampleTime)))
  }

  @_noLocks
  private func silence(_ output: Bus, from start: Int, count: Int) {
    for channel in 0..<output.channelCount { (output[channel] + start).update(repeating: 0, count: count) }
  }

  @_noLocks
  private func fade(_ output: Bus, _ gain: GainSegment) {
    for channel in 0..<output.channelCount {
      _ = scaleBlock(output[channel], into: output[channel], gain: gain, count: renderQuantum)
    }
  }

  private var quantumFrames: Float {
    @_noLocks get { Float(Int32(truncatingIfNeeded: renderQuantum)) }
  }
}

/// What was scheduled between two stops, on its way to the audio thread. Each `stop` begins another ring, so that later
/// segments need not wait for room.
final class PlayerRing: Sendable {
  /// Distinguishes it from earlier rings; from 1.
  let generation: Int
  let blocks: BlockRing<PlayerBlock>
  /// The reading end, for the one kernel.
  let consumer: BlockRing<PlayerBlock>.Consumer

  init(channelCount: Int, frameCapacity: Int, generation: Int) {
    self.generation = generation
    blocks = BlockRing(
      channelCount: channelCount, blockLength: PlayerBlock.longest,
      minimumCapacity: max(4, frameCapacity / PlayerBlock.longest))
    consumer = blocks.consumer
  }

  /// Appends a block with its planar samples; there must be room. [control thread]
  func write(_ block: PlayerBlock, _ channels: [[Float]]) {
    let producer = blocks.producer
    for (channel, samples) in channels.enumerated() {
      samples.withUnsafeBufferPointer { samples in
        guard let first = samples.baseAddress else { return }
        copySamples(from: first, to: producer.next(channel), count: samples.count)
      }
    }
    _ = producer.push(block)
  }
}

/// Some frames of a segment.
struct PlayerBlock: BitwiseCopyable, Sendable {
  /// The segment's number.
  let id: Int
  /// The segment's sample time on the engine's clock, if all segments before it have ended by then.
  let startTime: Int64
  let frameCount: Int
  /// Whether the segment begins or ends with this block.
  let isFirst: Bool
  let isLast: Bool

  /// The most frames in a block.
  static let longest = 1024
}

/// A segment has ended before the frame at that sample time of the engine.
struct PlayerNews: BitwiseCopyable, Sendable {
  let id: Int
  let sampleTime: Int64
}

/// State that a player's control side and its kernel share.
struct FilePlayerCell: ~Copyable {
  let isPlaying = Atomic<Bool>(false)
  /// The newest ring's.
  let generation = Atomic<Int>(0)
  /// Older rings than this are cut off without a fade.
  let cutGeneration = Atomic<Int>(0)
  /// Frames that were not read in time.
  let missingFrames = Atomic<Int>(0)
}
