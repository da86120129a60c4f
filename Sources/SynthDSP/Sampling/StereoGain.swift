import CSynthSampling

/// How loud a voice is left and right, on straight lines. [audio thread]
public struct StereoGain: BitwiseCopyable, Sendable {
  // In the order of `sampling_add`.
  public private(set) var left: Float
  public private(set) var right: Float
  private var leftStep: Float = 0
  private var rightStep: Float = 0

  @_noLocks
  public init(left: Float, right: Float) {
    self.left = left
    self.right = right
  }

  /// The gains go to their targets, and are there after so many frames; they stay there only if they are told then. The
  /// first frame still has the present ones.
  @_noLocks
  public mutating func aim(left: Float, right: Float, frames: Int) {
    let count = Float(Int32(truncatingIfNeeded: frames))
    leftStep = (left - self.left) / count
    rightStep = (right - self.right) / count
  }

  /// Adds a row to a stereo bus.
  @_noLocks
  public mutating func add(
    _ row: UnsafePointer<Float>, toLeft leftBus: UnsafeMutablePointer<Float>,
    right rightBus: UnsafeMutablePointer<Float>, count: Int
  ) {
    sampling_add(row, leftBus, rightBus, &self, count)
    left += leftStep * Float(Int32(truncatingIfNeeded: count))
    right += rightStep * Float(Int32(truncatingIfNeeded: count))
  }
}
