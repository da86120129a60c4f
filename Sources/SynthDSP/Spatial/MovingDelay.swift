import CSynthRealtime

/// A delay line that is read at any number of places, which may move within a block: so sound takes its time to arrive,
/// and its pitch follows when that time changes. [audio thread]
///
/// Whole delays that rest give the samples as they went in; others are read by a windowed sinc (`SincTable`).
public struct MovingDelay: ~Copyable {
  /// Of the sinc that reads between samples.
  public static var tapCount: Int { @_noLocks get { 16 } }
  /// In frames; a sinc needs this many after its place.
  public static var shortestDelay: Int { @_noLocks get { 8 } }

  private let samples: UnsafeMutablePointer<Float>
  /// A power of two, and at least two blocks.
  public let capacity: Int
  /// Where the last block begins, a multiple of a block.
  private var place = 0

  /// [control thread]
  ///
  /// - Parameter longestDelay: in frames, 0 to 2²⁸, to which it is clamped.
  public init(longestDelay: Int) {
    let longestDelay = min(max(0, longestDelay), 1 << 28)
    var capacity = 4 * blockSize
    while capacity < longestDelay + 2 * blockSize { capacity *= 2 }
    self.capacity = capacity
    // The first two blocks stand at the end again, so that a read that begins before the end can go on there.
    let count = capacity + 2 * blockSize
    samples = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: count)
  }

  deinit { samples.deallocate() }

  /// Takes in a block.
  @_noLocks
  public mutating func write(_ block: UnsafePointer<Float>) {
    place = (place &+ blockSize) & (capacity &- 1)
    realtime_copy(samples + place, block, blockSize)
    if place < 2 &* blockSize { realtime_copy(samples + (capacity &+ place), block, blockSize) }
  }

  /// Writes what is in the line at a delay that moves in a straight line.
  ///
  /// - Parameters:
  ///   - start: at the frame before the block, in frames, like `end` from `shortestDelay` to the longest.
  ///   - end: at the last frame.
  @_noLocks
  public func read(
    into output: UnsafeMutablePointer<Float>, from start: Double, to end: Double, _ rows: SincRows
  ) {
    guard start == end else { return readMoving(output, start, (end - start) / Double(blockSize), rows) }
    let whole = Int(start)
    let part = start - Double(whole)
    guard part > 0 else {
      return realtime_copy(output, samples + (place &- whole) & (capacity &- 1), blockSize)
    }
    // The place before the delay's whole frames, and how far from there to the next.
    let first = samples + (place &- whole &- MovingDelay.tapCount / 2) & (capacity &- 1)
    let (taps, rest) = rows.row(1 - part)
    for frame in 0..<blockSize { output[frame] = 0 }
    for tap in 0..<MovingDelay.tapCount {
      let weight = taps[tap] + rest * (taps[tap &+ MovingDelay.tapCount] - taps[tap])
      for frame in 0..<blockSize { output[frame] += first[frame &+ tap] * weight }
    }
  }

  @_noLocks
  private func readMoving(
    _ output: UnsafeMutablePointer<Float>, _ start: Double, _ step: Double, _ rows: SincRows
  ) {
    for frame in 0..<blockSize {
      let delay = start + step * Double(frame &+ 1)
      // Before `place` by a multiple of the capacity, so that it stays above 0.
      let position = Double(place &+ frame &+ capacity) - delay
      let whole = Int(position)
      let (taps, rest) = rows.row(position - Double(whole))
      let first = samples + (whole &- MovingDelay.tapCount / 2 &+ 1) & (capacity &- 1)
      let (low, lowNext) = (vector(taps, 0), vector(taps, 16))
      let (high, highNext) = (vector(taps, 8), vector(taps, 24))
      let sum = vector(first, 0) * (low + (lowNext - low) * rest) + vector(first, 8) * (high + (highNext - high) * rest)
      output[frame] = sum.sum()
    }
  }
}

/// Eight numbers from a place that need not be aligned. [audio thread]
@_noLocks
@inline(__always)
func vector(_ samples: UnsafePointer<Float>, _ offset: Int) -> SIMD8<Float> {
  UnsafeRawPointer(samples + offset).loadUnaligned(as: SIMD8<Float>.self)
}
