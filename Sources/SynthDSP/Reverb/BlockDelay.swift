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
