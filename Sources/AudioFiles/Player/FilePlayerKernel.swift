import AudioGraph
import DSP
import Realtime
import Synchronization

/// The file player's render side.
struct FilePlayerKernel: ~Copyable {
  private let cell: UnsafeMutablePointer<FilePlayerCell>
  private let news: RingBuffer<PlayerNews>.Producer
  private let rings: Handoff<PlayerRing>.Receiver
  private var held: Unmanaged<PlayerRing>?
  /// Reads the ring that is held.
  private var ring: PlayerRingReader
  /// Whether a segment has begun and not ended.
  private var isInside = false
  private var isPlaying = false

  init(_ feed: FilePlayerFeed) {
    cell = feed.cell
    news = feed.news.producer
    rings = feed.rings.receiver
    let present = feed.ring
    held = .passRetained(present)
    ring = present.reader
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
    let isCut = ring.generation < cell.pointee.cutGeneration.load(ordering: .relaxed)
    let isEnding = isPlaying && isInside && !isCut && (!shallPlay || newest != ring.generation)
    let isResuming = !isPlaying && isInside && shallPlay && newest == ring.generation
    if !isEnding, newest != ring.generation { begin() }
    if shallPlay || isEnding {
      let missing = play(into: output, at: context.sampleTime)
      if missing > 0, !isEnding { cell.pointee.missingFrames.add(missing, ordering: .relaxed) }
    } else {
      output.silence()
    }
    if isEnding { fade(output, GainSegment(start: 1, step: -1 / quantumFrames)) }
    if isResuming { fade(output, GainSegment(start: 0, step: 1 / quantumFrames)) }
    if isEnding, newest != ring.generation { begin() }
    isPlaying = shallPlay
    cell.pointee.sampleTime.store(context.sampleTime &+ Int64(renderQuantum), ordering: .relaxed)
  }

  /// Changes to the ring of what was scheduled after the last `stop`.
  @_noLocks
  private mutating func begin() {
    guard rings.adopt(&held), let held else { return }
    ring = held._withUnsafeGuaranteedRef { $0.reader }
    isInside = false
  }

  /// Fills a quantum with the segments that are due, and silence between them: how many frames were not read in time.
  @_noLocks
  private mutating func play(into output: Bus, at sampleTime: Int64) -> Int {
    var done = 0
    var isSilent = true
    while done < renderQuantum, let block = ring.peek() {
      if block.isFirst, ring.offset == 0, !isInside {
        let gap = block.startTime &- (sampleTime &+ Int64(done))
        guard gap <= 0 || block.startTime == .min else {
          let silent = Int(min(gap, Int64(renderQuantum &- done)))
          silence(output, from: done, count: silent)
          done &+= silent
          continue
        }
        isInside = true
      }
      let count = min(renderQuantum &- done, block.frameCount &- ring.offset)
      for channel in 0..<min(output.channelCount, ring.channelCount) {
        copySamples(from: ring.unread(channel), to: output[channel] + done, count: count)
      }
      if count > 0 { isSilent = false }
      done &+= count
      ring.advance(by: count)
      if ring.offset == block.frameCount { finish(block, at: sampleTime &+ Int64(done)) }
    }
    silence(output, from: done, count: renderQuantum &- done)
    output.isSilent = isSilent
    return isInside ? renderQuantum &- done : 0
  }

  @_noLocks
  private mutating func finish(_ block: PlayerBlock, at sampleTime: Int64) {
    ring.drop()
    guard block.isLast else { return }
    isInside = false
    // It has room for more ends than the ring has blocks.
    _ = news.push(PlayerNews(id: block.id, sampleTime: sampleTime))
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

/// A segment has ended before the frame at that sample time.
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
  /// The first frame that has not been rendered.
  let sampleTime = Atomic<Int64>(0)
  /// Frames that were not read in time.
  let missingFrames = Atomic<Int>(0)
}
