import Glibc

/// How far a steady sound of at least 52800 frames is from a frequency, in cents, by the turn of its phase in a second.
/// 48 kHz; right within half a hertz.
func cents(of samples: [Float], from frequency: Double) -> Double {
  let turn = phase(samples[48000..<52800], frequency, at: 48000) - phase(samples[..<4800], frequency, at: 0)
  let cycles = turn / (2 * .pi)
  return 1200 * log2((frequency + cycles - cycles.rounded()) / frequency)
}

/// How far a sound of at least 9600 frames is from a frequency, in cents. Coarser: right within five hertz.
func coarseCents(of samples: ArraySlice<Float>, from frequency: Double) -> Double {
  let start = samples.startIndex
  let turn =
    phase(samples[(start + 4800)..<(start + 9600)], frequency, at: 4800)
    - phase(samples[start..<(start + 4800)], frequency, at: 0)
  let cycles = turn / (2 * .pi)
  return 1200 * log2((frequency + (cycles - cycles.rounded()) * 10) / frequency)
}

/// The frequency of a pitch in semitones, 69 at 440 Hz.
func frequency(_ pitch: Double) -> Double { 440 * pow(2, (pitch - 69) / 12) }

private func phase(_ samples: ArraySlice<Float>, _ frequency: Double, at start: Int) -> Double {
  var (real, imaginary) = (0.0, 0.0)
  for (index, sample) in samples.enumerated() {
    let angle = 2 * Double.pi * frequency * Double(start + index) / 48000
    let window = 1 - cos(2 * .pi * Double(index) / Double(samples.count))
    real += Double(sample) * window * cos(angle)
    imaginary -= Double(sample) * window * sin(angle)
  }
  return atan2(imaginary, real)
}
