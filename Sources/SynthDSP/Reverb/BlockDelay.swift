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
  let first = CubicWeights(1 - (start - Float(whole)))
  let last = CubicWeights(1 - (end - Float(whole)))
  let window = UnsafeRawPointer(delay.window(Int(whole) &+ 2))
  let steps = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7) * (1.0 / 64)
  var w0 = first.w0 + (last.w0 - first.w0) * steps
  var w1 = first.w1 + (last.w1 - first.w1) * steps
  var w2 = first.w2 + (last.w2 - first.w2) * steps
  var w3 = first.w3 + (last.w3 - first.w3) * steps
  for group in 0..<8 {
    let offset = 32 &* group
    let x0 = window.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
    let x1 = window.loadUnaligned(fromByteOffset: offset &+ 4, as: SIMD8<Float>.self)
    let x2 = window.loadUnaligned(fromByteOffset: offset &+ 8, as: SIMD8<Float>.self)
    let x3 = window.loadUnaligned(fromByteOffset: offset &+ 12, as: SIMD8<Float>.self)
    let added = UnsafeRawPointer(addend).loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
    let sum = added + x0 * w0 + x1 * w1 + x2 * w2 + x3 * w3
    UnsafeMutableRawPointer(output).storeBytes(of: sum, toByteOffset: offset, as: SIMD8<Float>.self)
    w0 += (last.w0 - first.w0) * 0.125
    w1 += (last.w1 - first.w1) * 0.125
    w2 += (last.w2 - first.w2) * 0.125
    w3 += (last.w3 - first.w3) * 0.125
  }
}

/// Lagrange's weights of four neighbouring samples for a point `u` behind the second.
struct CubicWeights: BitwiseCopyable {
  let w0: Float, w1: Float, w2: Float, w3: Float

  @_noLocks @inline(__always)
  init(_ u: Float) {
    w0 = -u * (u - 1) * (u - 2) / 6
    w1 = (u + 1) * (u - 1) * (u - 2) / 2
    w2 = -(u + 1) * u * (u - 2) / 2
    w3 = (u + 1) * u * (u - 1) / 6
  }
}
