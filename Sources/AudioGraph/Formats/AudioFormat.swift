/// What flows through a bus: float32 samples, deinterleaved, at a rate, in a number of channels.
public struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
  /// Frames per second, in hertz.
  public let sampleRate: Double
  public let channelCount: Int

  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  public static func mono(_ sampleRate: Double) -> AudioFormat { AudioFormat(sampleRate: sampleRate, channelCount: 1) }
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

  public var description: String {
    let rate = sampleRate == sampleRate.rounded() ? "\(Int(exactly: sampleRate) ?? 0)" : "\(sampleRate)"
    return "\(rate) Hz \(channels)"
  }
}
