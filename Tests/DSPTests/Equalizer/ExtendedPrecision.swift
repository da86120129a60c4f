@testable import SynthDSP

#if arch(x86_64)
  typealias Extended = Float80
#else
  typealias Extended = Double
#endif

/// A design's filters written down the plain way (direct form I) in the widest floating point there is.
func extendedPrecision(_ design: EqualizerDesign, _ input: [Float]) -> [Double] {
  var signal = input.map { Extended($0) * Extended(design.preCut.amplitude) }
  for section in design.sections {
    let gain = Extended(section.gain)
    var (x1, x2, y1, y2): (Extended, Extended, Extended, Extended) = (0, 0, 0, 0)
    for n in signal.indices {
      let x = signal[n]
      let feedback = Extended(section.a1) * y1 + Extended(section.a2) * y2
      let y = gain * (x + Extended(section.b1) * x1 + Extended(section.b2) * x2) - feedback
      (x2, x1, y2, y1) = (x1, x, y1, y)
      signal[n] = y
    }
  }
  return signal.map { Double($0) }
}
