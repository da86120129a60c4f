import CSynthRealtime

/// What one block of a channel measured.
public struct BlockLevel: BitwiseCopyable, Sendable {
  public let peak: Float
  public let sumOfSquares: Float

  @_noLocks
  public init(peak: Float, sumOfSquares: Float) {
    self.peak = peak
    self.sumOfSquares = sumOfSquares
  }

  public static var silent: BlockLevel {
    @_noLocks get { BlockLevel(peak: 0, sumOfSquares: 0) }
  }
}

/// Adds `source × gain` to `destination` and measures what was added. [audio thread]
///
/// - Parameters:
///   - source: 32-byte aligned, like `destination`.
///   - count: frames, a multiple of eight.
@_noLocks
public func mixBlock(
  _ source: UnsafePointer<Float>, into destination: UnsafeMutablePointer<Float>, gain: GainSegment, count: Int
) -> BlockLevel {
  forEachVector(source, destination, gain: gain, count: count, adding: true)
}

/// Writes `source × gain` over `destination`, which may be `source`, and measures it. [audio thread]
@_noLocks
public func scaleBlock(
  _ source: UnsafePointer<Float>, into destination: UnsafeMutablePointer<Float>, gain: GainSegment, count: Int
) -> BlockLevel {
  forEachVector(source, destination, gain: gain, count: count, adding: false)
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
  var peak = SIMD8<Float>(repeating: 0)
  var squares = SIMD8<Float>(repeating: 0)
  let input = UnsafeRawPointer(samples)
  let stride = MemoryLayout<SIMD8<Float>>.stride
  for offset in Swift.stride(from: 0, to: count &* MemoryLayout<Float>.stride, by: stride) {
    let samples = input.load(fromByteOffset: offset, as: SIMD8<Float>.self)
    let magnitudes = magnitude(samples)
    peak.replace(with: magnitudes, where: magnitudes .> peak)
    squares += samples * samples
  }
  return BlockLevel(peak: highest(peak), sumOfSquares: squares.sum())
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

@_noLocks
@inline(__always)
private func forEachVector(
  _ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<Float>, gain segment: GainSegment, count: Int,
  adding: Bool
) -> BlockLevel {
  var gain = SIMD8<Float>(1, 2, 3, 4, 5, 6, 7, 8) * segment.step + segment.start
  let step = SIMD8<Float>(repeating: segment.step * 8)
  var peak = SIMD8<Float>(repeating: 0)
  var squares = SIMD8<Float>(repeating: 0)
  let input = UnsafeRawPointer(source)
  let output = UnsafeMutableRawPointer(destination)
  let stride = MemoryLayout<SIMD8<Float>>.stride
  for offset in Swift.stride(from: 0, to: count &* MemoryLayout<Float>.stride, by: stride) {
    let samples = input.load(fromByteOffset: offset, as: SIMD8<Float>.self)
    let scaled = samples * gain
    let result = adding ? scaled + output.load(fromByteOffset: offset, as: SIMD8<Float>.self) : scaled
    output.storeBytes(of: result, toByteOffset: offset, as: SIMD8<Float>.self)
    // The standard library's `pointwiseMax` and `max()` are calls out of line that spill every vector: 4.2 times
    // slower.
    let magnitudes = magnitude(scaled)
    peak.replace(with: magnitudes, where: magnitudes .> peak)
    squares += scaled * scaled
    gain += step
  }
  return BlockLevel(peak: highest(peak), sumOfSquares: squares.sum())
}

/// The highest lane.
@_noLocks
@inline(__always)
private func highest(_ v: SIMD8<Float>) -> Float {
  let four = v.lowHalf.replacing(with: v.highHalf, where: v.highHalf .> v.lowHalf)
  let two = four.lowHalf.replacing(with: four.highHalf, where: four.highHalf .> four.lowHalf)
  return max(two.x, two.y)
}

/// Frames in the blocks that effects render: the engine's quantum.
var blockSize: Int {
  @_noLocks @_noAllocation get { Int(RENDER_QUANTUM) }
}
