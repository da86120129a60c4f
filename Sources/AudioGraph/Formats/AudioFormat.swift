/// What flows through a bus: float32 samples, deinterleaved, at a rate, in a number of channels.
public struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
  /// Frames per second, in hertz.
  public let sampleRate: Double
  public let channelCount: Int

  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// One channel at a rate in hertz.
  public static func mono(_ sampleRate: Double) -> AudioFormat { AudioFormat(sampleRate: sampleRate, channelCount: 1) }

  /// Two channels, left and right, at a rate in hertz.
  public static func stereo(_ sampleRate: Double) -> AudioFormat {
    AudioFormat(sampleRate: sampleRate, channelCount: 2)
  }

  /// "mono", "stereo", "4 channels".
  var channels: String {
    switch channelCount {
    case 1: "mono"
    case 2: "stereo"
    default: "\(channelCount) channels"
    }
  }

  public var description: String { "\(hertz(sampleRate)) \(channels)" }
}

/// A rate as people write it: "44100 Hz".
func hertz(_ rate: Double) -> String { "\(Int(exactly: rate).map(String.init) ?? "\(rate)") Hz" }
