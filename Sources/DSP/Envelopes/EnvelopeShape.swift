@preconcurrency import Glibc

/// The four stages of an ADSR envelope, as steps from one block to the next.
///
/// The attack is a straight line from 0 to 1. Decay and release fall exponentially, that is in a straight line of decibels,
/// and their times are those in which they cover 60 dB of the way. No stage is shorter than one block, which keeps the
/// shortest attack and release from clicking.
public struct EnvelopeShape: BitwiseCopyable, Sendable {
  /// What a block of attack adds.
  public let attackStep: Float
  /// What a block of decay leaves of the distance to the sustain level.
  public let decayFactor: Float
  /// The level while the key is held, 0 to 1.
  public let sustain: Float
  /// What a block of release leaves of the level.
  public let releaseFactor: Float

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
    decayFactor = Self.factor(decay, block)
    self.sustain = Float(sustain)
    releaseFactor = Self.factor(release, block)
  }

  private static func factor(_ duration: Double, _ block: Double) -> Float {
    Float(pow(0.001, block / max(duration, block)))
  }
}
