import Glibc
import SynthDSP
import Testing

@Suite("Functions of eight numbers")
struct VectorMathTests {
  @Test("the power of two is right to 3·10⁻⁷, from the smallest number to the largest")
  func powers() {
    var worst = 0.0
    for step in -12_600...12_600 {
      let x = Float(step) / 100
      let exact = exp2(Double(x))
      worst = max(worst, abs(Double(exp2(SIMD8<Float>(repeating: x))[5]) / exact - 1))
    }
    print("2 to the power of x: relative error \(worst)")
    #expect(worst < 3e-7)
    #expect(exp2(SIMD8<Float>(repeating: 1000))[0] == exp2(SIMD8<Float>(repeating: 126))[0])
  }

  @Test("the tangent is right to 10⁻⁵ up to 0.45 of the sample rate")
  func tangents() {
    for step in 1...450 {
      let angle = Float(step) / 1000 * Float.pi
      let exact = tan(Double(angle))
      #expect(abs(Double(tangent(SIMD8<Float>(repeating: angle))[2]) / exact - 1) < 1e-5)
    }
  }

  @Test("the logarithm is right to 10⁻⁶, and exact for powers of two")
  func logarithms() {
    for step in -12_500...12_500 {
      let x = Float(exp2(Double(step) / 100))
      #expect(abs(Double(logarithm2(x)) - log2(Double(x))) < max(1e-6, abs(log2(Double(x))) * 1e-7))
    }
    for exponent in -126...127 { #expect(logarithm2(Float(exp2(Double(exponent)))) == Float(exponent)) }
  }
}
