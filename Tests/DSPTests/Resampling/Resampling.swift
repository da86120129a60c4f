@preconcurrency import Glibc
import SynthDSP
import Testing

/// Resamples interleaved frames block by block, feeding `inputBlock` frames at a time, with a step for each output
/// block.
func resample(
  _ input: [Float], _ resampler: consuming StreamResampler, channelCount: Int = 1, count: Int, inputBlock: Int = 4096,
  outputBlock: Int = 64, step: (_ frame: Int) -> Double
) throws -> [Float] {
  var resampler = resampler
  var output = [Float](repeating: 0, count: count * channelCount)
  var (consumed, produced) = (0, 0)
  while produced < count {
    let available = min(inputBlock, input.count / channelCount - consumed)
    let wanted = min(outputBlock - produced % outputBlock, count - produced)
    let (went, came) = input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard let source = input.baseAddress, let target = output.baseAddress else { return (0, 0) }
        let result = resampler.process(
          source + consumed * channelCount, inputCount: available, into: target + produced * channelCount,
          outputCount: wanted, step: step(produced))
        return (result.consumed, result.produced)
      }
    }
    consumed += went
    produced += came
    if went == 0 && came == 0 { break }
  }
  try #require(produced == count)
  return output
}

/// A sine, of so many half cycles a frame, at a frame that need not be whole.
func tone(_ frequency: Double, at frame: Double) -> Double { sin(.pi * frequency * frame + 0.3) }

/// Frames of a tone.
func tone(_ frequency: Double, count: Int) -> [Float] { (0..<count).map { Float(tone(frequency, at: Double($0))) } }

/// How far a signal is from the sine of a frequency that fits it best, in decibels below it; positions in input frames.
struct SineFit {
  /// Of the sine.
  let amplitude: Double
  /// RMS of all else over that of the sine, in decibels.
  let rest: Double

  init(_ signal: ArraySlice<Float>, at positions: (Int) -> Double, frequency: Double) {
    var (ss, sc, cc, ys, yc) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, sample) in zip(signal.indices, signal) {
      let angle = .pi * frequency * positions(index)
      let (s, c) = (sin(angle), cos(angle))
      ss += s * s
      sc += s * c
      cc += c * c
      ys += Double(sample) * s
      yc += Double(sample) * c
    }
    let determinant = ss * cc - sc * sc
    let (a, b) = ((ys * cc - yc * sc) / determinant, (yc * ss - ys * sc) / determinant)
    var (difference, power) = (0.0, 0.0)
    for (index, sample) in zip(signal.indices, signal) {
      let angle = .pi * frequency * positions(index)
      let fitted = a * sin(angle) + b * cos(angle)
      power += fitted * fitted
      difference += (Double(sample) - fitted) * (Double(sample) - fitted)
    }
    amplitude = (a * a + b * b).squareRoot()
    rest = 10 * log10(difference / power)
  }
}
