import CSynthRealtime
import CSynthSampling

/// What one block of a channel measured.
public struct BlockLevel: BitwiseCopyable, Sendable {
  // In the order that `mixing_measure` writes.
  /// The highest absolute sample; 1 is full scale.
  public let peak: Float
  /// Of the block's samples, for an RMS over several blocks.
  public let sumOfSquares: Float

  @_noLocks
  public init(peak: Float, sumOfSquares: Float) {
    self.peak = peak
    self.sumOfSquares = sumOfSquares
  }

  /// Of a block of zeros.
  public static var silent: BlockLevel {
    @_noLocks get { BlockLevel(peak: 0, sumOfSquares: 0) }
  }
}

/// Adds `source × gain` to `destination` and measures what was added. [audio thread]
///
/// - Parameters:
///   - count: frames, a multiple of eight.
@_noLocks
public func mixBlock(
  _ source: UnsafePointer<Float>, into destination: UnsafeMutablePointer<Float>, gain: GainSegment, count: Int
) -> BlockLevel {
  var level = BlockLevel.silent
  mixing_add_measured(source, destination, gain.start, gain.step, count, &level)
  return level
}

/// As `mixBlock`, without measuring: half its cost. [audio thread]
@_noLocks
public func addBlock(
  _ source: UnsafePointer<Float>, into destination: UnsafeMutablePointer<Float>, gain: GainSegment, count: Int
) {
  mixing_add(source, destination, gain.start, gain.step, count)
}

/// Writes `source × gain` over `destination`, which may be `source`, and measures it. [audio thread]
@_noLocks
public func scaleBlock(
  _ source: UnsafePointer<Float>, into destination: UnsafeMutablePointer<Float>, gain: GainSegment, count: Int
) -> BlockLevel {
  var level = BlockLevel.silent
  mixing_scale(source, destination, gain.start, gain.step, count, &level)
  return level
}

/// Writes `source` times a gain for each frame over `destination`, which may be `source`. [audio thread]
@_noLocks
public func scaleBlock(
  _ source: UnsafePointer<Float>, into destination: UnsafeMutablePointer<Float>, gains: UnsafePointer<Float>, count: Int
) {
  for frame in 0..<count { destination[frame] = source[frame] * gains[frame] }
}

/// Measures a block of a multiple of eight frames. [audio thread]
@_noLocks
public func measureBlock(_ samples: UnsafePointer<Float>, count: Int) -> BlockLevel {
  var level = BlockLevel.silent
  mixing_measure(samples, count, &level)
  return level
}

/// How many samples of a block are beyond full scale under a gain. [audio thread]
@_noLocks
public func clippedCount(
  _ samples: UnsafePointer<Float>, scaledBy gain: GainSegment = .unity, count: Int
) -> Int {
  var clipped = 0
  var present = gain.start
  for index in 0..<count {
    present += gain.step
    if abs(samples[index] * present) > 1 { clipped &+= 1 }
  }
  return clipped
}

/// Frames in the blocks that effects render: the engine's quantum.
var blockSize: Int {
  @_noLocks @_noAllocation get { Int(RENDER_QUANTUM) }
}
