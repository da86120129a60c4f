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
