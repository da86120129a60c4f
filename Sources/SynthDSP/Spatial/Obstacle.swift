import CSynthRealtime

/// What something between a source and the listener takes from the sound: highs by a low pass of 6 dB an octave, and
/// level. [any thread]
///
/// At an amount of 1 the low pass has −3 dB at 500 Hz, and the level falls by 12 dB. Between 0, where everything passes
/// bit for bit, and 1 the cutoff falls from 20 kHz by octaves, and the level by decibels.
public struct Obstacle: Sendable {
  /// 0 to 1.
  public let amount: Float

  @_noLocks
  public init(_ amount: Float) { self.amount = amount }

  /// What is left: 10 to the power of −12/20 at 1.
  public var amplitude: Float {
    @_noLocks get { amount > 0 ? exponential2(-12 / 6.020_6 * amount) : 1 }
  }

  /// In hertz.
  public var cutoff: Float {
    @_noLocks get { 20_000 * exponential2(-5.321_928 * amount) }
  }

  /// What the low pass takes over of its input; 1 lets everything pass.
  @_noLocks
  public func smoothing(sampleRate: Float) -> Float {
    amount > 0 ? EchoLine.smoothing(cutoff: cutoff / sampleRate) : 1
  }
}

/// The low pass of an obstacle: one memory, and what it takes over of its input on the way to another. [audio thread]
public struct ObstacleFilter: BitwiseCopyable, Sendable {
  private var memory: Float = 0
  private var smoothing = Ramp()

  @_noLocks
  public init() {}

  /// Filters a block in place.
  ///
  /// - Parameters:
  ///   - target: what it shall take over of its input after so many blocks; 1 lets everything pass bit for bit.
  @_noLocks
  public mutating func process(_ samples: UnsafeMutablePointer<Float>, toward target: Float, blocks: Int) {
    let line = smoothing.next(toward: target, blocks: blocks, blockSize: blockSize)
    guard line.step != 0 || line.start != 1 else { return memory = samples[blockSize &- 1] }
    var low = memory
    for frame in 0..<blockSize {
      let share = line.start + line.step * Float(Int32(truncatingIfNeeded: frame &+ 1))
      low = samples[frame] * share + low * (1 - share)
      samples[frame] = low
    }
    memory = abs(low) < .infinity ? low : 0
  }

  /// Forgets what has sounded; the next target is reached at once.
  @_noLocks
  public mutating func reset() { self = ObstacleFilter() }
}
