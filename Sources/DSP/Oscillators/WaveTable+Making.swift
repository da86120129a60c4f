@preconcurrency import Glibc

// How a table is made from a waveform's Fourier series.

extension WaveTable {
  /// The first harmonics of a waveform; the memory is never freed. [control thread]
  init(_ waveform: Waveform, harmonicCount: Int) {
    // Eight samples for the highest harmonic, and 1024 for the first few, which are the loudest, keep all images
    // together 97 dB below the fundamental.
    var exponent = 10
    while 1 << exponent < 8 * harmonicCount { exponent += 1 }
    let size = 1 << exponent
    var magnitudes = [Double](repeating: 0, count: size / 2)
    for k in 1...harmonicCount {
      magnitudes[k] = waveform.amplitude(ofHarmonic: k) / splineResponse(Double(k) / Double(size))
    }
    let phases = [Double](repeating: -.pi / 2, count: size / 2)
    let period = inverseFourierTransform(magnitudes: magnitudes, phases: phases)
    let coefficients = UnsafeMutablePointer<Float>.allocate(capacity: size + 3)
    for index in 0..<size + 3 {
      // A sixth is the spline's own factor.
      (coefficients + index).initialize(to: Float(period[(index + size - 1) % size] / 6))
    }
    self.init(coefficients: coefficients, sizeExponent: exponent)
  }
}

/// What a cubic B-spline makes of a frequency in periods per sample: sinc⁴.
private func splineResponse(_ frequency: Double) -> Double {
  let sinc = sin(.pi * frequency) / (.pi * frequency)
  return sinc * sinc * sinc * sinc
}
