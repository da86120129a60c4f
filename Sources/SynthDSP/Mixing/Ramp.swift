/// A value on its way to a target, in a straight line, one block at a time: the one cure for gain jumps.
public struct Ramp: BitwiseCopyable, Sendable {
  /// Where it is at the end of the last block; not a number before the first one.
  public private(set) var value: Float = .nan
  private var target: Float = .nan
  private var blocksLeft: Int32 = 0
  /// How many frames before the end of its last block the line ends, where `follow` has cut it short.
  private var lastBlockRest: Int32 = 0

  @_noLocks
  public init() {}

  /// One that begins at a value.
  @_noLocks
  public init(at value: Float) { (self.value, target) = (value, value) }

  /// Whether the value has reached its target. [audio thread]
  public var hasArrived: Bool {
    @_noLocks get { blocksLeft == 0 }
  }

  /// The next block's piece of the line. [audio thread]
  ///
  /// A new target starts a line of `blocks` blocks from wherever the value is. The first target of all is reached at
  /// once: what has never sounded cannot click.
  @_noLocks
  public mutating func next(toward target: Float, blocks: Int, blockSize: Int) -> GainSegment {
    if target != self.target { begin(toward: target, blocks: blocks) }
    guard blocksLeft > 0 else { return GainSegment(start: value, step: 0) }
    let start = value
    let end = blocksLeft == 1 ? target : start + (target - start) / Float(blocksLeft)
    blocksLeft &-= 1
    value = end
    return GainSegment(start: start, step: (end - start) / Float(Int32(truncatingIfNeeded: blockSize)))
  }

  /// Makes a block of targets, one for each frame, the values of these frames: what is left of the way to the target
  /// before them goes on beside them. [audio thread]
  ///
  /// - Parameters:
  ///   - start: the target at the frame before the block.
  ///   - restEnd: after how many frames nothing may be left of that way.
  /// - Returns: what was left.
  @_noLocks
  @discardableResult
  public mutating func follow(
    _ targets: UnsafeMutablePointer<Float>, from start: Float, restEnd: Int, blocks: Int, blockSize: Int
  ) -> RampRest {
    if start != target { begin(toward: start, blocks: blocks) }
    let end = targets[blockSize &- 1]
    let left = max(0, min(Int(blocksLeft) &* blockSize &- Int(lastBlockRest), restEnd))
    let rest = RampRest(start: value - start, frameCount: left)
    for frame in 0..<min(rest.frameCount, blockSize) { targets[frame] += rest.value(at: frame) }
    let framesLeft = max(0, left &- blockSize)
    blocksLeft = Int32(truncatingIfNeeded: (framesLeft &+ blockSize &- 1) / blockSize)
    lastBlockRest = Int32(truncatingIfNeeded: Int(blocksLeft) &* blockSize &- framesLeft)
    value = targets[blockSize &- 1]
    target = end
    return rest
  }

  @_noLocks
  private mutating func begin(toward target: Float, blocks: Int) {
    if value.isNaN { value = target }
    self.target = target
    blocksLeft = value == target ? 0 : Int32(truncatingIfNeeded: blocks)
    lastBlockRest = 0
  }
}

/// What is left of a ramp beside targets that move: it falls to zero in a straight line.
public struct RampRest: BitwiseCopyable, Sendable {
  let start: Float
  let frameCount: Int

  /// How far the old value still is from the new one at a frame; 0 from its end on.
  @_noLocks
  public func value(at frame: Int) -> Float {
    guard frame &+ 1 < frameCount else { return 0 }
    return start * (1 - Float(frame &+ 1) / Float(frameCount))
  }
}

/// One block's piece of a ramp: frame `i` has the gain `start + step × (i + 1)`.
public struct GainSegment: BitwiseCopyable, Sendable {
  /// The gain before the first frame.
  public let start: Float
  /// What each frame adds to the gain of the one before.
  public let step: Float

  @_noLocks
  public init(start: Float, step: Float) {
    self.start = start
    self.step = step
  }

  /// Leaves the block as it is.
  public static var unity: GainSegment {
    @_noLocks get { GainSegment(start: 1, step: 0) }
  }

  /// Whether the whole block is zero under it.
  public var isSilent: Bool {
    @_noLocks get { start == 0 && step == 0 }
  }
}
