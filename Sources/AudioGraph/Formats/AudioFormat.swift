/// What flows through a bus: float32 samples, deinterleaved, at a rate, in a number of channels.
public struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
  /// Frames per second, in hertz. A rate that is NaN is 0, so that a format equals itself; no graph takes either.
  public let sampleRate: Double
  /// From 1 on.
  public let channelCount: Int

  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate.isNaN ? 0 : sampleRate
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

/// The formats of a node's buses once they have propagated.
public struct BusFormats: Hashable, Sendable {
  /// One entry per input bus; nil where nothing is connected.
  public let inputs: [AudioFormat?]
  /// One entry per output bus.
  public let outputs: [AudioFormat]
  /// The rate of the output unit, in hertz.
  public let unitSampleRate: Double

  /// The rate that the node renders at, in hertz: that of its outputs; without outputs, that of what it is given.
  public var sampleRate: Double {
    outputs.first?.sampleRate ?? inputs.lazy.compactMap(\.self).first?.sampleRate ?? unitSampleRate
  }
}

/// A node's word that it cannot take the format on one of its inputs.
public struct FormatRefusal: Error, Equatable {
  /// The input bus, from 0.
  public let bus: Int
  /// What the node takes, as the second half of a sentence: "takes mono or stereo".
  public let reason: String
  /// What to do about it.
  public let remedy: String

  public init(bus: Int, reason: String, remedy: String) {
    self.bus = bus
    self.reason = reason
    self.remedy = remedy
  }
}
