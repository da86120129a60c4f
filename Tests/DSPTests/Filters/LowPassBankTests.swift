import Glibc
import SynthDSP
import Testing

@Suite("The low-pass filter has the response of its prototype, to 0.01 dB")
struct LowPassBankTests {
  @Test(
    "at every frequency, cutoff and resonance",
    arguments: [(0.005, -3.0), (0.02, 0), (0.1, 12), (0.3, 6), (0.45, -6)])
  func response(_ cutoff: Double, _ resonance: Double) {
    let damping = pow(10, -resonance / 20)
    let impulse = filteredImpulse(cutoff, damping)
    var worst = 0.0
    for frequency in [cutoff / 4, cutoff / 2, cutoff, min(cutoff * 1.5, 0.47), min(cutoff * 2, 0.48)] {
      let measured = 20 * log10(magnitude(impulse, frequency))
      // The analogue filter at the frequency the bilinear transform puts here.
      let ratio = tan(.pi * frequency) / tan(.pi * cutoff)
      let power = (1 - ratio * ratio) * (1 - ratio * ratio) + damping * damping * ratio * ratio
      worst = max(worst, abs(measured + 10 * log10(power)))
    }
    print("low-pass at \(cutoff) of the rate, \(resonance) dB: off by \(worst) dB at most")
    #expect(worst < 0.01)
  }

  @Test("and stays finite while cutoff and resonance jump")
  func stability() {
    var bank = LowPassBank()
    var seed: UInt32 = 1
    withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: 64) { samples in
      for block in 0..<500 {
        for index in 0..<64 {
          seed = seed &* 1_664_525 &+ 1_013_904_223
          samples[index] = SIMD8(repeating: Float(Int32(bitPattern: seed)) / 2_147_483_648)
        }
        let target = LowPassCoefficients(
          cutoff: SIMD8(repeating: block.isMultiple(of: 2) ? 0.001 : 0.45), damping: SIMD8(repeating: 0.02))
        guard let start = samples.baseAddress else { return }
        bank.process(start, count: 64, toward: target)
        #expect(samples.allSatisfy { abs($0[7]) < 200 })
      }
    }
  }

  private func filteredImpulse(_ cutoff: Double, _ damping: Double) -> [Double] {
    var bank = LowPassBank()
    let coefficients = LowPassCoefficients(
      cutoff: SIMD8(repeating: Float(cutoff)), damping: SIMD8(repeating: Float(damping)))
    bank.start(4, coefficients)
    var response: [Double] = []
    withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: 64) { samples in
      guard let start = samples.baseAddress else { return }
      for block in 0..<64 {
        samples.initialize(repeating: SIMD8(repeating: 0))
        if block == 0 { samples[0][4] = 1 }
        bank.process(start, count: 64, toward: coefficients)
        response += samples.map { Double($0[4]) }
      }
    }
    return response
  }

  private func magnitude(_ impulse: [Double], _ frequency: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in impulse.enumerated() {
      real += sample * cos(2 * .pi * frequency * Double(index))
      imaginary += sample * sin(2 * .pi * frequency * Double(index))
    }
    return (real * real + imaginary * imaginary).squareRoot()
  }
}
