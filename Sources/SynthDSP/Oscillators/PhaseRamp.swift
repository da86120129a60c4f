/// A phase on its way through a block, while its speed changes in a straight line.
///
/// The unit is 2⁻⁶⁴ of a period, so that a phase wraps by itself and never drifts: 10⁻¹⁵ Hz are told apart at 48 kHz.
public struct PhaseRamp: BitwiseCopyable, Sendable {
  /// Of the next frame.
  public var phase: UInt64
  /// What the phase advances by after the next frame, less the step. Half a period, 2⁶³, is the Nyquist frequency.
  public var increment: UInt64
  /// What the increment grows by with each frame.
  public var step: Int64

  /// A ramp from one frequency to another, reached after `frameCount` frames. [audio thread]
  ///
  /// - Parameters:
  ///   - start: in periods per frame, like `end`; held to 0…½.
  @_noLocks
  public init(phase: UInt64 = 0, from start: Double, to end: Double, frameCount: Int) {
    self.phase = phase
    increment = Self.increment(start)
    let distance = Int64(bitPattern: Self.increment(end) &- increment)
    step = frameCount > 0 ? distance / Int64(frameCount) : 0
  }

  /// The phase of the next frame; moves on to the one after it. [audio thread]
  @_noLocks @inlinable @inline(__always)
  public mutating func next() -> UInt64 {
    let present = phase
    increment &+= UInt64(bitPattern: step)
    phase &+= increment
    return present
  }

  /// The highest speed in a block of so many frames.
  @_noLocks
  public func highestIncrement(frameCount: Int) -> UInt64 {
    max(increment, increment &+ UInt64(bitPattern: step &* Int64(frameCount)))
  }

  /// The phase after `frameCount` frames.
  @_noLocks
  public func phase(after frameCount: Int) -> UInt64 {
    let count = UInt64(truncatingIfNeeded: frameCount)
    return phase &+ increment &* count &+ UInt64(bitPattern: step) &* (count &* (count &+ 1) / 2)
  }

  @_noLocks
  private static func increment(_ frequency: Double) -> UInt64 {
    guard frequency > 0 else { return 0 }
    return frequency < 0.5 ? UInt64(frequency * 0x1p64) : 1 << 63
  }
}
