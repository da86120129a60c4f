@preconcurrency import Glibc

/// Sixteen slow sines of different rates, between 0.5 and 1.1 Hz, and phases. They keep the lines of a reverb from
/// ringing at fixed frequencies. [audio thread]
struct ReverbModulation {
  private var cosine = SIMD16<Float>()
  private(set) var sine = SIMD16<Float>()
  private var turnCosine = SIMD16<Float>()
  private var turnSine = SIMD16<Float>()

  init(sampleRate: Double, blockSize: Int) {
    for line in 0..<16 {
      let phase = 2 * Double.pi * Double(line * 5 % 16) / 16
      let turn = 2 * Double.pi * (0.5 + 0.04 * Double(line)) * Double(blockSize) / sampleRate
      (cosine[line], sine[line]) = (Float(cos(phase)), Float(sin(phase)))
      (turnCosine[line], turnSine[line]) = (Float(cos(turn)), Float(sin(turn)))
    }
  }

  /// Goes on by a block.
  @_noLocks
  mutating func advance() {
    let turned = cosine * turnCosine - sine * turnSine
    sine = cosine * turnSine + sine * turnCosine
    cosine = turned
    // Rounding would let the circle grow or shrink; this pulls it back (a Newton step for one over the square root).
    let correction = 1.5 - 0.5 * (cosine * cosine + sine * sine)
    cosine *= correction
    sine *= correction
  }
}
