import Glibc

/// Where a sine's pitch is at each of its periods, by the crossings of zero: in seconds, and in semitones, 69 at 440
/// Hz.
func pitchTrack(_ samples: [Float]) -> [(time: Double, pitch: Double)] {
  var crossings: [Double] = []
  for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
    crossings.append(Double(index - 1) + Double(samples[index - 1] / (samples[index - 1] - samples[index])))
  }
  return zip(crossings, crossings.dropFirst()).map { start, end in
    ((start + end) / 2 / 48000, 69 + 12 * log2(48000 / (end - start) / 440))
  }
}
