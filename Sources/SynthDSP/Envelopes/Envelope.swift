@preconcurrency import Glibc

/// The four stages of an ADSR envelope, as steps from one block to the next.
///
/// The attack is a straight line from 0 to 1. Decay and release fall exponentially, that is in a straight line of
/// decibels, and their times are those in which they cover 60 dB of the way. No stage is shorter than one block, which
/// keeps the shortest attack and release from clicking.
public struct EnvelopeShape: BitwiseCopyable, Sendable {
  /// What a block of attack adds.
  public private(set) var attackStep: Float
  /// What a block of decay leaves of the distance to the sustain level.
  public private(set) var decayFactor: Float
  /// The level while the key is held, 0 to 1.
  public let sustain: Float
  /// What a block of release leaves of the level.
  public private(set) var releaseFactor: Float
  /// Powers of two the factors are.
  private let decayExponent: Float
  private let releaseExponent: Float

  /// A shape for blocks of `blockSize` frames. [control thread]
  ///
  /// - Parameters:
  ///   - attack: seconds from 0 to 1.
  ///   - decay: seconds in which the level covers 60 dB of the way to the sustain level.
  ///   - sustain: 0 to 1.
  ///   - release: seconds in which the level falls by 60 dB.
  public init(attack: Double, decay: Double, sustain: Double, release: Double, sampleRate: Double, blockSize: Int) {
    let block = Double(blockSize) / sampleRate
    attackStep = Float(min(1, block / max(attack, block)))
    self.sustain = Float(sustain)
    let (decayBlocks, releaseBlocks) = (max(decay, block) / block, max(release, block) / block)
    decayFactor = Float(pow(0.001, 1 / decayBlocks))
    releaseFactor = Float(pow(0.001, 1 / releaseBlocks))
    decayExponent = Float(Self.fall / decayBlocks)
    releaseExponent = Float(Self.fall / releaseBlocks)
  }

  /// The power of two that 60 dB are.
  private static var fall: Double {
    @_noLocks get { -9.965_784_284_662_087 }
  }

  /// This shape with the times of its stages multiplied, each at least a block. [audio thread]
  @_noLocks
  public func multiplied(attack: Float, decay: Float, release: Float) -> EnvelopeShape {
    var shape = self
    shape.attackStep = min(1, attackStep / attack)
    var exponents = SIMD8<Float>(repeating: 0)
    exponents[0] = max(decayExponent / decay, Float(Self.fall))
    exponents[1] = max(releaseExponent / release, Float(Self.fall))
    let factors = exp2(exponents)
    shape.decayFactor = factors[0]
    shape.releaseFactor = factors[1]
    return shape
  }
}

/// Eight ADSR envelopes side by side, one step a block. [audio thread]
public struct EnvelopeBank: BitwiseCopyable, Sendable {
  /// Where the envelopes are. Between two blocks the level goes in a straight line; below 0 the envelope is still to
  /// begin.
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
