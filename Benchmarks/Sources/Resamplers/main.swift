// Our resampler beside libsamplerate and libsoxr; with `curve`, its measured response.

@preconcurrency import Glibc
import SynthDSP

setvbuf(stdout, nil, _IOLBF, 0)
if CommandLine.arguments.dropFirst().first == "curve" { try printCurve() } else { try ResamplerTable.measure() }

/// A line for each frequency, as a part of half the lower rate: the gain in decibels, of an impulse read sixteen times
/// as finely.
func printCurve() throws {
  let (fineness, place) = (16, 200)
  var resampler = try StreamResampler(channelCount: 1, step: 1 / Double(fineness))
  var input = [Float](repeating: 0, count: 2 * place)
  input[place] = 1
  var response = [Float](repeating: 0, count: (place + 100) * fineness)
  _ = resampler.process(
    input, inputCount: input.count, into: &response, outputCount: response.count, step: 1 / Double(fineness))
  for thousandth in stride(from: 0, through: 2000, by: 1) {
    let frequency = Double(thousandth) / 1000
    let gain = response.enumerated().reduce(0.0) { sum, sample in
      let time = Double(sample.offset) / Double(fineness) - Double(place)
      return sum + Double(sample.element) * cos(.pi * frequency * time) / Double(fineness)
    }
    print(frequency, 20 * log10(max(abs(gain), 1e-9)))
  }
}
