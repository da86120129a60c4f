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
  forEachVector(source, destination, gain: gain, count: count) { source, gain, sum in sum + source * gain }
}

/// Writes `source × gain` over `destination`, which may be `source`, and measures it. [audio thread]
@_noLocks
public func scaleBlock(
  _ source: UnsafePointer<Float>, into destination: UnsafeMutablePointer<Float>, gain: GainSegment, count: Int
) -> BlockLevel {
  forEachVector(source, destination, gain: gain, count: count) { source, gain, _ in source * gain }
}

/// How many samples of a block are beyond full scale under a gain. [audio thread]
@_noLocks
public func clippedCount(
  _ samples: UnsafePointer<Float>, scaledBy gain: GainSegment = GainSegment(start: 1, step: 0), count: Int
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
  _ combine: (_ source: SIMD8<Float>, _ gain: SIMD8<Float>, _ present: SIMD8<Float>) -> SIMD8<Float>
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
    let present = output.load(fromByteOffset: offset, as: SIMD8<Float>.self)
    output.storeBytes(of: combine(samples, gain, present), toByteOffset: offset, as: SIMD8<Float>.self)
    peak = pointwiseMax(peak, pointwiseMax(scaled, -scaled))
    squares += scaled * scaled
    gain += step
  }
  return BlockLevel(peak: peak.max(), sumOfSquares: squares.sum())
}
