/// What somebody asks of the ten-band equalizer: a gain for every octave from 32 Hz to 16 kHz.
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
