/// The formats of a node's buses once they have propagated.
public struct BusFormats: Hashable, Sendable {
  /// One entry per input bus; nil where nothing is connected.
  public let inputs: [AudioFormat?]
  /// One entry per output bus.
  public let outputs: [AudioFormat]
  /// The rate of the output unit, in hertz.
  public let sampleRate: Double
}

/// A node's word that it cannot take the format on one of its inputs.
public struct FormatRefusal: Error, Equatable {
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
