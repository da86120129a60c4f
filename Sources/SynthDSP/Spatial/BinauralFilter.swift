import CSynthRealtime

/// Plays a source to two ears through head-related transfer functions, from a direction that may change at any time.
/// [audio thread]
///
/// A delay for each ear, then a filter for each ear. A new direction is approached over some blocks: delays move in a
/// straight line, and each tap of the filters does; within a block the output goes over from the old taps to the next.
public struct BinauralFilter: ~Copyable {
  private let grid: HRTFGrid
  /// Three sets of taps of both ears: the present ones, those of the next block, and those on the way there.
  private let taps: UnsafeMutablePointer<Float>
  /// For each ear what went into its filter before, and the present block.
  private let history: UnsafeMutablePointer<Float>
  /// Two blocks of output.
  private let blocks: UnsafeMutablePointer<Float>
  private var delays: (Ramp, Ramp) = (Ramp(), Ramp())
  private var wantedDelays = SIMD2<Float>(0, 0)
  private var wanted = SIMD3<Float>(0, 0, 0)
  private var blocksLeft = 0
  private var hasSounded = false
  /// Whether the history is that of the last block.
  private var isListening = false

  /// Whether there is nothing to hear.
  public private(set) var isSilent = true

  /// [control thread]
  public init(_ grid: HRTFGrid) {
    self.grid = grid
    taps = Self.memory(6 * grid.tapCount)
    history = Self.memory(2 * (grid.tapCount + blockSize))
    blocks = Self.memory(2 * blockSize)
  }

  private static func memory(_ count: Int) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: count)
  }

  deinit {
    taps.deallocate()
    history.deallocate()
    blocks.deallocate()
  }

  private var present: UnsafeMutablePointer<Float> { @_noLocks get { taps } }
  private var next: UnsafeMutablePointer<Float> { @_noLocks get { taps + 2 &* grid.tapCount } }
  private var target: UnsafeMutablePointer<Float> { @_noLocks get { taps + 4 &* grid.tapCount } }

  /// Forgets what has sounded; the next direction is taken at once.
  @_noLocks
  public mutating func reset() {
    guard hasSounded else { return }
    delays = (Ramp(), Ramp())
    wanted = SIMD3(0, 0, 0)
    blocksLeft = 0
    (isSilent, hasSounded, isListening) = (true, false, false)
  }

  /// Turns to a direction over so many blocks; nil is to fall silent.
  ///
  /// - Parameter direction: from the listener, of length 1: x to the right, y up, z to the back.
  @_noLocks
  public mutating func turn(to direction: SIMD3<Float>?, blocks: Int) {
    let direction = direction ?? SIMD3(0, 0, 0)
    guard direction != wanted || !hasSounded else { return }
    wanted = direction
    if direction == SIMD3(0, 0, 0) {
      target.update(repeating: 0, count: 2 &* grid.tapCount)
    } else {
      wantedDelays = grid.read(direction, into: target)
      if isSilent { delays = (Ramp(), Ramp()) }
      isSilent = false
    }
    blocksLeft = hasSounded ? blocks : 0
    if !hasSounded { realtime_copy(present, target, 2 &* grid.tapCount) }
    hasSounded = true
  }

  /// Adds what the ears hear to two channels.
  ///
  /// - Parameters:
  ///   - start: how late the sound is at the head, in frames, like those of `MovingDelay.read`; of both ears the delay
  ///     to its side of the head comes in addition.
  ///   - rampBlocks: over how many blocks delays move.
  @_noLocks
  public mutating func process(
    _ line: borrowing MovingDelay, from start: Double, to end: Double, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, blocks rampBlocks: Int, _ rows: SincRows
  ) {
    let first = delays.0.next(toward: wantedDelays.x, blocks: rampBlocks, blockSize: blockSize)
    let second = delays.1.next(toward: wantedDelays.y, blocks: rampBlocks, blockSize: blockSize)
    let isMoving = blocksLeft > 0
    if isMoving { advance() }
    if !isListening {
      recall(0, line, start + Double(first.start), rows)
      recall(1, line, start + Double(second.start), rows)
      isListening = true
    }
    listen(0, line, start + Double(first.start), end + Double(delays.0.value), isMoving, left, rows)
    listen(1, line, start + Double(second.start), end + Double(delays.1.value), isMoving, right, rows)
    guard isMoving else { return }
    realtime_copy(present, next, 2 &* grid.tapCount)
    blocksLeft &-= 1
    isSilent = blocksLeft == 0 && wanted == SIMD3(0, 0, 0)
    isListening = !isSilent
  }

  /// What would have gone into an ear's filter before this block.
  @_noLocks
  private func recall(_ ear: Int, _ line: borrowing MovingDelay, _ delay: Double, _ rows: SincRows) {
    let past = history + ear &* (grid.tapCount &+ blockSize)
    var left = grid.tapCount
    var age = Double(blockSize)
    while left > 0 {
      line.read(into: blocks, from: delay + age, to: delay + age, rows)
      let count = min(left, blockSize)
      realtime_copy(past + (left &- count), blocks + (blockSize &- count), count)
      left &-= count
      age += Double(blockSize)
    }
  }

  /// The taps at the end of the block.
  @_noLocks
  private func advance() {
    if blocksLeft == 1 { return realtime_copy(next, target, 2 &* grid.tapCount) }
    let share = 1 / Float(Int32(truncatingIfNeeded: blocksLeft))
    let (present, next, target) = (present, next, target)
    for tap in 0..<2 &* grid.tapCount { next[tap] = present[tap] + (target[tap] - present[tap]) * share }
  }

  /// One ear.
  @_noLocks
  private func listen(
    _ ear: Int, _ line: borrowing MovingDelay, _ start: Double, _ end: Double, _ isMoving: Bool,
    _ output: UnsafeMutablePointer<Float>, _ rows: SincRows
  ) {
    let tapCount = grid.tapCount
    let past = history + ear &* (tapCount &+ blockSize)
    line.read(into: past + tapCount, from: start, to: end, rows)
    filter(past + tapCount, present + ear &* tapCount, count: tapCount, into: blocks)
    if isMoving {
      let later = blocks + blockSize
      filter(past + tapCount, next + ear &* tapCount, count: tapCount, into: later)
      for frame in 0..<blockSize {
        let share = Float(Int32(truncatingIfNeeded: frame &+ 1)) / Float(RENDER_QUANTUM)
        output[frame] += blocks[frame] + (later[frame] - blocks[frame]) * share
      }
    } else {
      for frame in 0..<blockSize { output[frame] += blocks[frame] }
    }
    // Forwards, since the places may overlap.
    for offset in stride(from: 0, to: tapCount, by: 8) {
      UnsafeMutableRawPointer(past + offset).storeBytes(of: vector(past, blockSize &+ offset), as: SIMD8<Float>.self)
    }
  }
}

/// A block through a filter of finite response, whose samples before the block stand before `input`. [audio thread]
///
/// 32 frames at a time, whose sums stay in registers.
@_noLocks
func filter(
  _ input: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
) {
  for start in stride(from: 0, to: blockSize, by: 32) {
    var (a, b) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    var (c, d) = (a, b)
    var samples = input + start
    for tap in 0..<count {
      let weight = SIMD8<Float>(repeating: taps[tap])
      a += vector(samples, 0) * weight
      b += vector(samples, 8) * weight
      c += vector(samples, 16) * weight
      d += vector(samples, 24) * weight
      samples -= 1
    }
    let sums = UnsafeMutableRawPointer(output + start)
    sums.storeBytes(of: a, as: SIMD8<Float>.self)
    sums.storeBytes(of: b, toByteOffset: 32, as: SIMD8<Float>.self)
    sums.storeBytes(of: c, toByteOffset: 64, as: SIMD8<Float>.self)
    sums.storeBytes(of: d, toByteOffset: 96, as: SIMD8<Float>.self)
  }
}
