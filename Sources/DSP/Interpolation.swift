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
