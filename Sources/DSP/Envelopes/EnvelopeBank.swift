/// Eight ADSR envelopes side by side, one step a block. [audio thread]
public struct EnvelopeBank: BitwiseCopyable, Sendable {
  /// Where the envelopes are. Between two blocks the level goes in a straight line; below 0 the envelope is still to begin.
  public private(set) var level = SIMD8<Float>(repeating: 0)
  /// All bits set where the attack is not over.
  private var rising = SIMD8<Int32>(repeating: 0)

  @_noLocks
  public init() {}

  /// Begins the envelope of a lane part of the way through the next block.
  ///
  /// - Parameter delay: the part of the block that passes before, 0 to 1.
  @_noLocks
  public mutating func start(_ lane: Int, delay: Float, _ shape: EnvelopeShape) {
    level[lane] = -shape.attackStep * delay
    rising[lane] = -1
  }

  /// Whether the attack of a lane is not over.
  @_noLocks
  public func isRising(_ lane: Int) -> Bool { rising[lane] != 0 }

  /// Advances a block.
  ///
  /// - Parameter gates: where the note is held; elsewhere it is released.
  @_noLocks
  public mutating func advance(_ shape: EnvelopeShape, gates: SIMDMask<SIMD8<Int32>>) {
    let isRising = (rising .!= 0) .& gates
    let target = SIMD8<Float>(repeating: 0).replacing(with: shape.sustain, where: gates)
    let factor = SIMD8<Float>(repeating: shape.releaseFactor).replacing(with: shape.decayFactor, where: gates)
    let fallen = target + (level - target) * factor
    let raised = level + shape.attackStep
    level = fallen.replacing(with: raised, where: isRising)
    let isOver = level .>= 1
    level.replace(with: 1, where: isOver .& isRising)
    rising.replace(with: 0, where: isOver .| .!gates)
  }
}
