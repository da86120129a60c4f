import CSynthSampling

/// How loud a voice is left and right, on straight lines. [audio thread]
public struct StereoGain: BitwiseCopyable, Sendable {
  // In the order that `sampling_mix` reads.
  /// The gain of the left channel after the last block.
  public private(set) var left: Float
  /// The gain of the right channel after the last block.
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

  /// Of these gains on their way to others, a share.
  @_noLocks
  public func scaled(by share: Float, to target: StereoGain, frames: Int) -> StereoGain {
    var scaled = StereoGain(left: left * share, right: right * share)
    scaled.aim(left: target.left * share, right: target.right * share, frames: frames)
    return scaled
  }
}

/// Rows that are added to a stereo bus together, which is read and written once: for each voice that is half of what
/// adding it alone costs. [audio thread]
public struct RowMix: BitwiseCopyable {
  /// How many rows are added at a time.
  public static var capacity: Int {
    @_noLocks get { 8 }
  }

  // In the order of `sampling_row`.
  private struct Row: BitwiseCopyable {
    var frames: UnsafePointer<Float>?
    var gain: UnsafeMutablePointer<StereoGain>?
  }

  private var rows = InlineArray<8, Row>(repeating: Row())
  private var count = 0

  @_noLocks
  public init() {}

  /// Takes a row of 64 frames, of at most `capacity`, and its gain, which goes on by a quantum when it is added.
  @_noLocks
  public mutating func append(_ row: UnsafePointer<Float>, _ gain: UnsafeMutablePointer<StereoGain>) {
    rows[count] = Row(frames: row, gain: gain)
    count &+= 1
  }

  /// Adds the sum of the rows to a bus of 64 frames, and forgets them.
  @_noLocks
  public mutating func add(toLeft left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    sampling_mix(&rows, count, left, right)
    count = 0
  }
}
