import Foundation
import SynthDSP
import Testing

@Suite("Dither")
struct DitherTests {
  private func rounded(_ samples: [Float], bits: Int, channel: Int = 0) -> [Float] {
    var dither = Dither(bits: bits, channelCount: 2)
    return [Float](unsafeUninitializedCapacity: samples.count) { target, count in
      if let base = target.baseAddress { dither.round(samples, into: base, count: samples.count, channel: channel) }
      count = samples.count
    }
  }

  @Test("The error has no mean and a power of a quarter of a step squared, wherever between two steps a sample is")
  func error() {
    for place in [0.01, 0.25, 0.5, 0.75, 1, 1000.3] {
      let samples = [Float](repeating: Float(place / 32768), count: 200_000)
      let errors = rounded(samples, bits: 16).map { Double($0) * 32768 - Double(samples[0]) * 32768 }
      let mean = errors.reduce(0, +) / Double(errors.count)
      let power = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
      #expect(abs(mean) < 0.005 && abs(power - 0.25) < 0.005, "\(place): \(mean), \(power)")
      #expect(errors.allSatisfy { abs($0) <= 1.5 })
    }
  }

  @Test("The error is white: it has no relation to the next one, nor to the other channel's")
  func white() {
    let samples = [Float](repeating: 0.3, count: 200_000)
    let errors = (0..<2).map { channel in
      rounded(samples, bits: 16, channel: channel).map { (Double($0) - Double(samples[0])) * 32768 }
    }
    func correlation(_ one: ArraySlice<Double>, _ other: ArraySlice<Double>) -> Double {
      let products = zip(one, other).map { one, other in one * other }
      return products.reduce(0, +) / Double(products.count)
    }
    for lag in 1...8 { #expect(abs(correlation(errors[0][...], errors[0].dropFirst(lag))) < 0.005) }
    #expect(abs(correlation(errors[0][...], errors[1][...])) < 0.005)
  }

  @Test("A tone below a step is kept, where plain rounding makes silence of it")
  func quietTone() {
    let tone = (0..<480_000).map { 0.4 * sin(Double($0) * 0.06) }
    let kept = rounded(tone.map { Float($0 / 32768) }, bits: 16).map { Double($0) * 32768 }
    let products = zip(tone, kept).map { tone, kept in tone * kept }
    let amplitude = 2 * products.reduce(0, +) / 0.4 / Double(tone.count)
    #expect(abs(amplitude - 0.4) < 0.01)
  }

  @Test("Rounded samples are whole steps, and silence stays silent", arguments: [8, 16, 24])
  func steps(bits: Int) {
    let scale = Float(1 << (bits - 1))
    let samples = (0..<10000).map { Float($0 - 5000) / 4999 }
    let areSteps = rounded(samples, bits: bits).map { $0 * scale }.allSatisfy { $0 == $0.rounded() }
    #expect(areSteps)
    #expect(rounded([Float](repeating: 0, count: 1000), bits: bits).allSatisfy { $0 == 0 })
  }

  @Test("What is no number, or beyond full scale, stays so")
  func extremes() {
    let result = rounded([.nan, .infinity, -.infinity, 2, -2, .greatestFiniteMagnitude], bits: 16)
    #expect(result[0].isNaN && result[1] == .infinity)
    #expect(result[2] == -.infinity && result[5] > 1e38)
    #expect(abs(result[3] - 2) < 1e-4 && abs(result[4] + 2) < 1e-4)
  }
}
