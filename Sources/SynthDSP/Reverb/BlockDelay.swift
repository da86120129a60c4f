import CSynthSampling

/// The memory of a delay that is read and written a block at a time, readable without a seam. [audio thread]
///
/// Behind its end the beginning is repeated, so that a window of a block and a few frames more lies in one piece
/// wherever it begins.
struct BlockDelay {
  /// A block, and what interpolation reads beyond it.
  private static let seam = 72

  private let samples: UnsafeMutablePointer<Float>
  private let capacity: Int
  private var place = 0

  /// - Parameter longest: the most frames it is ever read behind the block that is written next.
  init(longest: Int) {
    capacity = (longest / blockSize + 3) * blockSize
    samples = .allocate(capacity: capacity + Self.seam)
    samples.initialize(repeating: 0, count: capacity + Self.seam)
  }

  /// Frees the memory. [control thread]
  func deallocate() { samples.deallocate() }

  /// The place of the sample that was written `frames` before the block that is written next; a block and eight samples
  /// more may be read from there.
  @_noLocks @inline(__always)
  func window(_ frames: Int) -> UnsafePointer<Float> {
    let start = place &- frames
    return UnsafePointer(samples + (start < 0 ? start &+ capacity : start))
  }

  /// Writes the next block.
  @_noLocks
  mutating func write(_ input: UnsafePointer<Float>) {
    for frame in 0..<blockSize { samples[place &+ frame] = input[frame] }
    if place < Self.seam {
      let end = min(place &+ blockSize, Self.seam)
      for index in place..<end { samples[capacity &+ index] = samples[index] }
    }
    place &+= blockSize
    if place == capacity { place = 0 }
  }

  @_noLocks
  func clear() { samples.update(repeating: 0, count: capacity &+ Self.seam) }
}

/// Reads a block from a delay whose length moves from one value to another, and adds a block to it. [audio thread]
///
/// Between the samples runs Lagrange's cubic through four of them, whose weights are drawn in a straight line from the
/// first frame's to the last's: the length moves by less than a tenth of a sample in a block.
@_noLocks
func readInterpolated(
  _ delay: BlockDelay, from start: Float, to end: Float, adding addend: UnsafePointer<Float>,
  _ output: UnsafeMutablePointer<Float>
) {
  let whole = Int32(min(start, end))
  // Of the first frame and the last.
  let both = CubicWeights(SIMD4(1 - (start - Float(whole)), 1 - (end - Float(whole)), 0, 0))
  var weights = SIMD8(
    both.w0.x, both.w1.x, both.w2.x, both.w3.x, both.w0.y, both.w1.y, both.w2.y, both.w3.y)
  reverb_read(delay.window(Int(whole) &+ 2), &weights, addend, output)
}

/// Lagrange's weights of four neighbouring samples for four points, each `u` behind the second sample.
struct CubicWeights: BitwiseCopyable {
  let w0: SIMD4<Float>, w1: SIMD4<Float>, w2: SIMD4<Float>, w3: SIMD4<Float>

  @_noLocks @inline(__always)
  init(_ u: SIMD4<Float>) {
    w0 = u * -1 * (u - 1) * (u - 2) / 6
    w1 = (u + 1) * (u - 1) * (u - 2) / 2
    w2 = (u + 1) * -1 * u * (u - 2) / 2
    w3 = (u + 1) * u * (u - 1) / 6
  }
}
