@preconcurrency import Glibc

/// The filters that give an `EqualizerCurve` at a sample rate, and the cut before them that keeps them from clipping.
///
/// Ten peaking sections in a cascade. Neighbours overlap, so a section is not set to its band's gain but to what makes
/// the whole cascade have that gain at every centre. Control thread: a design takes 0.3 ms at 48 kHz.
public struct EqualizerDesign: Sendable {
  /// The sample rates for which filters can be designed, in hertz.
  public static let sampleRateRange: ClosedRange<Double> = 8000...768_000

  /// A band whose centre is at or above this share of the Nyquist frequency is dropped.
  static let highestCentre = 0.9

  /// The curve that was asked for.
  public let curve: EqualizerCurve

  /// The sample rate in hertz.
  public let sampleRate: Double

  /// One section for each band; a dropped band has an identity section.
  public let sections: [BiquadSection]

  /// The bands, counted from 0, whose centres the sample rate cannot carry; their gains are ignored.
  public let droppedBands: Range<Int>

  /// The largest difference between asked for and achieved over the centres of all bands that are not dropped.
  public let worstError: Decibels

  /// How loud the output can become for input within ±1: the sum of the magnitudes of the impulse response.
  public let peakBound: Decibels

  /// The gain of the frequency that is amplified most.
  public let peakResponse: Decibels

  /// The gain applied with the filters, 0 dB or less.
  public let preCut: Decibels

  /// Designs the filters of a curve.
  ///
  /// - Parameter headroom: the signals for which the pre-cut prevents clipping.
  public init(
    curve: EqualizerCurve, sampleRate: Double, headroom: EqualizerHeadroom = .everyInput
  ) throws(EqualizerError) {
    guard Self.sampleRateRange.contains(sampleRate) else { throw .sampleRate(sampleRate) }
    self.curve = curve
    self.sampleRate = sampleRate
    let omegas = EqualizerCurve.frequencies.map { 2 * Double.pi * $0 / sampleRate }
    let kept = omegas.count { $0 < Self.highestCentre * Double.pi }
    droppedBands = kept..<omegas.count

    let cascade = BandCorrection.solve(gains: Array(curve.gains[..<kept]), omegas: Array(omegas[..<kept]))
    sections = cascade.sections + Array(repeating: .identity, count: omegas.count - kept)
    worstError = cascade.worstError
    peakResponse = Self.peakResponse(sections: sections, sampleRate: sampleRate)
    let norm = ImpulseNorm.sum(of: sections)
    peakBound = Decibels(amplitude: norm)
    preCut =
      switch headroom {
      case .everyInput: norm > 1 ? Decibels(amplitude: 1 / (norm * ImpulseNorm.margin)) : .unity
      case .everySine: min(.unity, -peakResponse)
      }
  }

  /// The gain of the filters at a frequency in hertz, without the pre-cut; claimed by their coefficients.
  public func response(atHertz frequency: Double) -> Decibels {
    let half = sin(.pi * frequency / sampleRate)
    return sections.reduce(.unity) { $0 + $1.response(t: half * half) }
  }

  /// The coefficients for the render side, pre-cut included.
  public var coefficients: EqualizerCoefficients {
    EqualizerCoefficients(sections: sections, preCut: preCut)
  }

  /// Searched at 24 points an octave, at the centres and at both ends; a peak one octave wide is found within 0.01 dB.
  private static func peakResponse(sections: [BiquadSection], sampleRate: Double) -> Decibels {
    var frequencies = [0, sampleRate / 2] + EqualizerCurve.frequencies.filter { $0 < sampleRate / 2 }
    var frequency = 10.0
    while frequency < sampleRate / 2 {
      frequencies.append(frequency)
      frequency *= exp2(1.0 / 24)
    }
    return frequencies.reduce(.silence) { highest, frequency in
      let half = sin(.pi * frequency / sampleRate)
      return max(highest, sections.reduce(.unity) { $0 + $1.response(t: half * half) })
    }
  }
}
