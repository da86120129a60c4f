/// What can be wrong with a request to the equalizer.
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
