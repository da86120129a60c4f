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

/// A finished equalizer setting as the render side takes it: trivially copyable, without a pointer in it.
public struct EqualizerCoefficients: Sendable, BitwiseCopyable {
  /// A section with its numerator written as the difference from its denominator.
  ///
  /// The cascade then passes its input through untouched and each section only adds to it: four multiplications
  /// instead of five, and a section whose differences are zero is transparent to the last bit.
  struct Section: Sendable, BitwiseCopyable {
    var d1 = 0.0, d2 = 0.0, a1 = 0.0, a2 = 0.0
  }

  /// The setting that lets everything pass bit for bit.
  public static let flat = EqualizerCoefficients(sections: [], preCut: .unity)

  /// The gain of all sections and the pre-cut in one factor.
  let gain: Double

  /// Whether all of it is transparent.
  public let isIdentity: Bool

  let sections: InlineArray<10, Section>

  /// At most ten sections; missing ones are transparent.
  init(sections: [BiquadSection], preCut: Decibels) {
    isIdentity = sections.allSatisfy(\.isIdentity) && preCut.value == 0
    gain = isIdentity ? 1 : sections.reduce(preCut.amplitude) { $0 * $1.gain }
    self.sections = InlineArray { $0 < sections.count ? sections[$0].kernel : Section() }
  }
}

extension BiquadSection {
  var kernel: EqualizerCoefficients.Section {
    EqualizerCoefficients.Section(d1: b1 - a1, d2: b2 - a2, a1: a1, a2: a2)
  }
}

/// Equalizer settings designed in advance, for the audio thread to choose among.
///
/// Must outlive every `EqualizerProcessor` made with it.
public final class EqualizerBank: @unchecked Sendable {
  // Unchecked: nothing in it changes.

  /// How many settings there are.
  public let count: Int
  let settings: UnsafePointer<EqualizerCoefficients>

  /// A bank of these settings, numbered from 1.
  public init(_ settings: [EqualizerCoefficients]) {
    count = settings.count
    let memory = UnsafeMutablePointer<EqualizerCoefficients>.allocate(capacity: max(1, settings.count))
    for (index, setting) in settings.enumerated() { (memory + index).initialize(to: setting) }
    self.settings = UnsafePointer(memory)
  }

  deinit { settings.deallocate() }
}

/// The sum of the magnitudes of a cascade's impulse response: the most it can make of bounded input.
///
/// No input within ±1 gives output beyond ± this sum, and one input reaches it (the L1 norm, the peak gain of a
/// bounded-input bounded-output system). The largest gain of any frequency is smaller and guarantees nothing.
enum ImpulseNorm {
  /// What a caller leaves above the sum for its truncated tail and for rounding to 32 bits: 9 millionths of a decibel.
  static let margin = 1 + 1e-6

  /// The tail is cut where the slowest pole has decayed to this: −180 dB.
  private static let truncation = 1e-9

  /// The sum for these sections, within one part in ten million; exactly 1 when all are the identity.
  static func sum(of sections: [BiquadSection]) -> Double {
    let active = sections.filter { !$0.isIdentity }
    if active.isEmpty { return 1 }
    let slowest = active.reduce(0) { max($0, $1.poleRadius) }
    // Clamped so that a pole on the circle, which no valid curve gives, cannot make it endless: 21 s at 192 kHz.
    let length = Int(min(max(log(truncation) / log(slowest), 64), 4_000_000))
    let gain = active.reduce(1) { $0 * $1.gain }
    return gain * unscaledSum(of: active.map(\.kernel), length: length)
  }

  private static func unscaledSum(of kernels: [EqualizerCoefficients.Section], length: Int) -> Double {
    var state = kernels.map { (kernel: $0, s1: 0.0, s2: 0.0) }
    return state.withUnsafeMutableBufferPointer { state in
      var sum = 0.0
      for n in 0..<length {
        var x = n == 0 ? 1.0 : 0.0
        for k in state.indices {
          let c = state[k].kernel
          let s1 = state[k].s1
          state[k].s1 = (c.d1 * x + state[k].s2) - c.a1 * s1
          state[k].s2 = c.d2 * x - c.a2 * s1
          x += s1
        }
        sum += abs(x)
      }
      return sum
    }
  }
}

extension BiquadSection {
  /// The distance of the slower pole from the origin.
  fileprivate var poleRadius: Double {
    let discriminant = a1 * a1 / 4 - a2
    return discriminant < 0 ? a2.squareRoot() : abs(a1) / 2 + discriminant.squareRoot()
  }
}
