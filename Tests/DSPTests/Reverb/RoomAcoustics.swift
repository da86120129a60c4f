@preconcurrency import Glibc

// What room acoustics measures of an impulse response.

/// The part of a signal in an octave, by two second-order band-passes in a row.
func octaveBand(_ signal: [Float], at centre: Double, sampleRate: Double) -> [Double] {
  let omega = 2 * Double.pi * centre / sampleRate
  let alpha = sin(omega) / (2 * 2.0.squareRoot())
  let (a1, a2) = (-2 * cos(omega) / (1 + alpha), (1 - alpha) / (1 + alpha))
  var band = signal.map(Double.init)
  for _ in 0..<2 {
    var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
    for n in band.indices {
      let x = band[n]
      let y = alpha / (1 + alpha) * (x - x2) - a1 * y1 - a2 * y2
      (x2, x1, y2, y1) = (x1, x, y1, y)
      band[n] = y
    }
  }
  return band
}

/// How long it takes to fall by 60 dB, in seconds, from the slope of Schroeder's backward integral between -5 and -35
/// dB; and how far, in decibels, the integral strays from that straight line.
func decay(_ signal: [Double], sampleRate: Double) -> (time: Double, deviation: Double) {
  var integral = signal.map { $0 * $0 }
  for n in integral.indices.dropLast().reversed() { integral[n] += integral[n + 1] }
  let levels = integral.map { 10 * log10(max($0 / integral[0], 1e-30)) }
  let points = levels.enumerated().filter { (-35 ... -5).contains($0.element) && $0.offset % 16 == 0 }
  let count = Double(points.count)
  let meanTime = points.reduce(0) { $0 + Double($1.offset) } / count
  let meanLevel = points.reduce(0) { $0 + $1.element } / count
  let slope =
    points.reduce(0) { $0 + (Double($1.offset) - meanTime) * ($1.element - meanLevel) }
    / points.reduce(0) { $0 + (Double($1.offset) - meanTime) * (Double($1.offset) - meanTime) }
  let deviation = points.reduce(0) { max($0, abs($1.element - meanLevel - slope * (Double($1.offset) - meanTime))) }
  return (-60 / slope / sampleRate, deviation)
}

/// The echo density around a frame: how many samples of 20 ms are beyond their standard deviation, beside how many of
/// Gaussian noise are; 1 is as dense as noise (J. Abel, P. Huang, 2006).
func echoDensity(_ signal: [Float], around centre: Int, sampleRate: Double) -> Double {
  let half = Int(0.01 * sampleRate)
  let window = signal[max(0, centre - half)..<min(signal.count, centre + half)]
  let deviation = (window.reduce(0) { $0 + Double($1) * Double($1) } / Double(window.count)).squareRoot()
  let beyond = window.count { abs(Double($0)) > deviation }
  return Double(beyond) / Double(window.count) / erfc(1 / 2.0.squareRoot())
}

/// How alike two signals are: 1 the same, 0 nothing in common, -1 opposite.
func correlation(_ a: [Float], _ b: [Float]) -> Double {
  let product = zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
  let energies = [a, b].map { $0.reduce(0) { $0 + Double($1) * Double($1) } }
  return product / (energies[0] * energies[1]).squareRoot()
}
