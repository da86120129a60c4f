/// A value on its way to a target, in a straight line, one block at a time: the one cure for gain jumps.
public struct Ramp: BitwiseCopyable, Sendable {
  public private(set) var value: Float = .nan
  private var target: Float = .nan
  private var blocksLeft: Int32 = 0

  @_noLocks
  public init() {}

  /// The next block's piece of the line. [audio thread]
  ///
  /// A new target starts a line of `blocks` blocks from wherever the value is. The first target of all is reached at
  /// once: what has never sounded cannot click.
  @_noLocks
  public mutating func next(toward target: Float, blocks: Int, blockSize: Int) -> GainSegment {
    if target != self.target {
      if value.isNaN { value = target }
      self.target = target
      blocksLeft = value == target ? 0 : Int32(truncatingIfNeeded: blocks)
    }
    guard blocksLeft > 0 else { return GainSegment(start: value, step: 0) }
    let start = value
    let end = blocksLeft == 1 ? target : start + (target - start) / Float(blocksLeft)
    blocksLeft &-= 1
    value = end
    return GainSegment(start: start, step: (end - start) / Float(Int32(truncatingIfNeeded: blockSize)))
  }
}

/// One block's piece of a ramp: frame `i` has the gain `start + step × (i + 1)`.
public struct GainSegment: BitwiseCopyable, Sendable {
  public let start: Float
  public let step: Float

  @_noLocks
  public init(start: Float, step: Float) {
    self.start = start
    self.step = step
  }

  /// Whether the whole block is zero under it.
  public var isSilent: Bool {
    @_noLocks get { start == 0 && step == 0 }
  }
}
