import Synchronization
import SynthDSP
import SynthRealtime

/// The render side of players: blocks one after the other, each at its frame, without a click where one is cut off.
struct PlayerKernel: ~Copyable {
  private let cell: UnsafeMutablePointer<PlayerCell>
  private let time: BusTime
  private let news: RingBuffer<PlayerNews>.Producer
  private let rings: Handoff<PlayerRing>.Receiver
  private var held: Unmanaged<PlayerRing>?
  private var queue: PlayerBlockQueue
  private var tail: FadingTail
  private var generation: Int
  /// The frame of the oldest block that is played next.
  private var offset = 0
  /// Whether what was scheduled has begun and not ended.
  private var isInside = false
  private var isPlaying = false

  /// [control thread]
  init(
    _ cell: UnsafeMutablePointer<PlayerCell>, _ time: BusTime, news: RingBuffer<PlayerNews>.Producer,
    rings: Handoff<PlayerRing>.Receiver, _ ring: PlayerRing, channelCount: Int
  ) {
    self.cell = cell
    self.time = time
    self.news = news
    self.rings = rings
    held = .passRetained(ring)
    queue = PlayerBlockQueue(ring.consumer)
    tail = FadingTail(channelCount: channelCount)
    generation = ring.generation
  }

  deinit { held?.release() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: PlayerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  private mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    let shallPlay = cell.pointee.isPlaying.load(ordering: .acquiring)
    let newest = cell.pointee.generation.load(ordering: .acquiring)
    let isSounding = isInside || tail.isSounding
    // A pause or stop fades out within a quantum, and playing on fades in within one.
    let isCut = generation < cell.pointee.cutGeneration.load(ordering: .relaxed)
    let isEnding = isPlaying && isSounding && !isCut && (!shallPlay || newest != generation)
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
    if isEnding { tail.clear() }
    if isEnding, newest != generation { begin() }
    isPlaying = shallPlay
    cell.pointee.position.store(isInside ? offset : -1, ordering: .relaxed)
  }

  /// Changes to the ring of what was scheduled after the last `stop`.
  @_noLocks
  private mutating func begin() {
    guard rings.adopt(&held), let held else { return }
    queue = PlayerBlockQueue(held._withUnsafeGuaranteedRef { $0.consumer })
    generation = held._withUnsafeGuaranteedRef { $0.generation }
    offset = 0
    isInside = false
    tail.clear()
  }

  /// Fills a quantum with the blocks that are due, and silence between them: how many frames were not there in time.
  @_noLocks
  private mutating func play(into output: Bus, at sampleTime: Int64) -> Int {
    var done = 0
    var isSilent = !tail.isSounding
    queue.look(time)
    while done < renderQuantum {
      let now = sampleTime &+ Int64(done)
      let most = Int(min(Int64(renderQuantum &- done), queue.framesToInterruption(from: now)))
      guard most > 0 else {
        tail.add(to: output, upTo: done)
        if interrupt(at: now) { isSilent = false }
        continue
      }
      guard let block = queue.peek() else { break }
      if block.isFirst, offset == 0, !isInside {
        let gap = queue.isDue(block, at: now, time) ? 0 : time.busFrame(of: block.startTime) &- now
        guard gap <= 0 else {
          let silent = Int(min(gap, Int64(most)))
          silence(output, from: done, count: silent)
          done &+= silent
          continue
        }
        isInside = true
      }
      let count = min(most, block.frameCount &- offset)
      copy(block, into: output, from: done, count: count)
      if count > 0 { isSilent = false }
      done &+= count
      offset &+= count
      if offset == block.frameCount { end(block, at: sampleTime &+ Int64(done)) }
    }
    silence(output, from: done, count: renderQuantum &- done)
    tail.add(to: output, upTo: renderQuantum)
    tail.nextQuantum()
    output.isSilent = isSilent
    return isInside ? renderQuantum &- done : 0
  }

  /// At a block's end: once more, or on to the next.
  @_noLocks
  private mutating func end(_ block: PlayerBlock, at frame: Int64) {
    offset = 0
    if block.isLooping, block.frameCount > 0, !queue.isNextDue(at: frame, time) { return }
    drop(block, at: frame, isWhole: true)
  }

  /// Ends what is before the block that interrupts, and lets what sounds fade under it: false if nothing does.
  @_noLocks
  private mutating func interrupt(at frame: Int64) -> Bool {
    let sounds = isInside && queue.interruption > 0
    if sounds, let block = queue.peek() { tail.begin(block, from: offset) }
    while queue.interruption > 0, let block = queue.peek() {
      offset = 0
      drop(block, at: frame, isWhole: false)
    }
    queue.forgetInterruption(time)
    return sounds
  }

  @_noLocks
  private mutating func drop(_ block: PlayerBlock, at frame: Int64, isWhole: Bool) {
    queue.drop()
    guard block.isLast else { return }
    isInside = false
    // It has room for more ends than the ring has blocks.
    _ = news.push(PlayerNews(id: block.id, sampleTime: time.engineFrame(of: frame), isWhole: isWhole))
  }

  @_noLocks
  private func copy(_ block: PlayerBlock, into output: Bus, from start: Int, count: Int) {
    guard count > 0, let samples = block.samples else { return }
    for channel in 0..<output.channelCount {
      copyFiniteSamples(from: samples + channel &* block.stride + offset, to: output[channel] + start, count: count)
    }
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
