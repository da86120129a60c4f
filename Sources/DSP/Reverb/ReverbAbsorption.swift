/// What a room takes away on each way through it, more of the highs than of the lows: a first-order shelf for each
/// line, in decibels as long as the line, so that all lines decay alike (J.-M. Jot, 1991). [audio thread]
struct ReverbAbsorption {
  /// Four lines side by side, with their memory.
  private struct Shelf: BitwiseCopyable {
    var b0 = SIMD4<Float>(), b1 = SIMD4<Float>(), a1 = SIMD4<Float>()
    var memory = SIMD4<Float>()
  }

  private var shelves = InlineArray<4, Shelf>(repeating: Shelf())

  init() {}

  /// Sets the time in seconds in which lows fall by 60 dB, and the gain that is left to a line whose length is nothing;
  /// the memories stay.
  @_noLocks
  mutating func set(_ geometry: ReverbGeometry, time: Float, sampleRate: Float, gain: Float) {
    for line in 0..<16 {
      // 60 dB are a factor of 2 to the power of 9.97.
      let lowExponent = -9.965_784 * Float(geometry.lengths[line]) / (sampleRate * time)
      let highExponent = lowExponent / geometry.highShare
      let (low, high) = (gain * exponential2(lowExponent), gain * exponential2(highExponent))
      // Half of the shelf's decibels are reached at the corner.
      let k = geometry.corner * exponential2((highExponent - lowExponent) / 2)
      shelves[line / 4].b0[line % 4] = (high + low * k) / (1 + k)
      shelves[line / 4].b1[line % 4] = (low * k - high) / (1 + k)
      shelves[line / 4].a1[line % 4] = (k - 1) / (1 + k)
    }
  }

  /// Filters a block of each line in place; the lines lie one after the other.
  @_noLocks
  mutating func filter(_ lines: UnsafeMutablePointer<Float>) {
    for four in 0..<4 {
      let shelf = shelves[four]
      var memory = shelf.memory
      let r0 = lines + 4 &* four &* blockSize
      let (r1, r2, r3) = (r0 + blockSize, r0 + 2 &* blockSize, r0 + 3 &* blockSize)
      for n in 0..<blockSize {
        let x = SIMD4<Float>(r0[n], r1[n], r2[n], r3[n])
        let y = shelf.b0 * x + memory
        memory = shelf.b1 * x - shelf.a1 * y
        (r0[n], r1[n], r2[n], r3[n]) = (y.x, y.y, y.z, y.w)
      }
      shelves[four].memory = memory
    }
  }

  @_noLocks
  mutating func clear() {
    for four in 0..<4 { shelves[four].memory = SIMD4<Float>() }
  }
}
