/// The setting of the ten-band equalizer: a gain for every octave from 32 Hz to 16 kHz.
public struct EqualizerCurve: Sendable, Hashable {
  /// The band centres in hertz, lowest first.
  public static let frequencies: [Double] = [32, 64, 125, 250, 500, 1000, 2000, 4000, 8000, 16000]

  /// How many bands there are: 10.
  public static let bandCount = 10

  /// The gains a band may ask for.
  public static let gainRange: ClosedRange<Decibels> = -24...24

  /// All bands at 0 dB: the audio passes bit for bit.
  public static let flat = EqualizerCurve(unchecked: Array(repeating: .unity, count: bandCount))

  /// The gain of each band, in the order of `frequencies`.
  public let gains: [Decibels]

  /// A curve of ten gains, each within `gainRange`.
  public init(gains: [Decibels]) throws(EqualizerError) {
    guard gains.count == Self.bandCount else { throw .bandCount(gains.count) }
    for (band, gain) in gains.enumerated() where !Self.gainRange.contains(gain) {
      throw .gain(band: band, gain)
    }
    self.init(unchecked: gains)
  }

  private init(unchecked gains: [Decibels]) {
    self.gains = gains
  }
}

/// The signals for which an equalizer's pre-cut prevents clipping.
public enum EqualizerHeadroom: Sendable {
  /// No input within ±1 leaves ±1: for an equalizer without a limiter behind it.
  case everyInput

  /// No sine within ±1 leaves ±1: for an equalizer with a limiter behind it, which catches the rest. It leaves the
  /// 22 classic curves 0.3 to 5.4 dB louder.
  case everySine
}

/// An invalid request to the equalizer.
public enum EqualizerError: Error, Sendable, Equatable {
  /// A curve of another number of bands than ten.
  case bandCount(Int)

  /// A gain outside `EqualizerCurve.gainRange`, or not a number; bands count from 0.
  case gain(band: Int, Decibels)

  /// A sample rate outside `EqualizerDesign.sampleRateRange`, or not a number.
  case sampleRate(Double)
}

extension EqualizerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .bandCount(let count):
      return "setting the equalizer: \(count) gains given; give \(EqualizerCurve.bandCount), one for each band"
    case .gain(let band, let gain):
      let centre =
        EqualizerCurve.frequencies.indices.contains(band) ? "\(Int(EqualizerCurve.frequencies[band])) Hz" : "\(band)"
      return "setting the equalizer: band \(centre): \(gain) is outside −24…24 dB; choose a gain within it"
    case .sampleRate(let rate):
      return "designing the equalizer: a sample rate of \(rate) Hz is outside 8000…768000 Hz; choose one within it"
    }
  }
}
