// Many players at once: harmonics spread into bands of noise, which loop for ever without a seam.
import Glibc
import SynthDSP

/// A spectrum of widened harmonics with random phases (the PADsynth algorithm of Paul Nasca).
struct Ensemble {
  var key: Int
  /// Wanted frames a second.
  var rate = 16_000
  /// Frames of the loop, a power of two.
  var length = 16_384
  /// Standard deviation of the players' tuning, cents.
  var width: Double
  /// Level of a harmonic, by its number and frequency in Hz.
  var level: (Int, Double) -> Double

  func rendered(seed: Int) -> Wave {
    let bins = length / 2
    let pitch = frequency(key)
    // The rate is bent until the fundamental lies on a bin, so that the middle of every band does.
    let cycles = max(1, (pitch * Double(length) / Double(rate)).rounded())
    let exactRate = (pitch * Double(length) / cycles).rounded()
    let binWidth = exactRate / Double(length)
    var magnitudes = [Double](repeating: 0, count: bins)
    for n in 1...max(1, Int(0.46 * exactRate / pitch)) {
      let center = Double(n) * pitch
      let sigma = max(0.35 * binWidth, center * (pow(2, width / 1_200) - 1))
      let energy = level(n, center) / (sigma / binWidth).squareRoot()
      let reach = Int(4 * sigma / binWidth) + 1
      let middle = n * Int(cycles)
      for k in max(1, middle - reach)...max(1, min(bins - 1, middle + reach)) {
        let distance = Double(k - middle) * binWidth / sigma
        magnitudes[k] += energy * exp(-0.25 * distance * distance)
      }
    }
    var noise = Noise(seed: seed &+ key)
    let cycle = inverseFourierTransform(magnitudes: magnitudes, phases: noise.signal(bins).map { $0 * .pi })
    return Wave(looping: cycle, rate: Int(exactRate), key: key)
  }
}

extension Wave {
  /// A wave that is nothing but its loop.
  init(looping wanted: [Double], rate: Int, key: Int) {
    let mean = wanted.reduce(0, +) / Double(wanted.count)
    let cycle = wanted.map { $0 - mean }
    let head = cycle.suffix(Wave.guardFrames)
    let tail = (0..<Wave.guardFrames).map { cycle[$0 % cycle.count] }
    self.init(frames: head + cycle + tail, rate: rate, key: key, loop: head.count..<head.count + cycle.count)
  }
}

/// A vocal-tract or body resonance curve: sum of bells at centre frequencies.
func formants(_ f: Double, _ peaks: [(center: Double, width: Double, decibels: Double)]) -> Double {
  peaks.reduce(0) { sum, peak in
    let distance = (f - peak.center) / peak.width
    return sum + amplitude(peak.decibels) / (1 + distance * distance)
  }
}
