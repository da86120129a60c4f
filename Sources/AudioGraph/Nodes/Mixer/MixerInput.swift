/// One input of a mixer.
public struct MixerInput: Sendable {
  static let gainRange: ClosedRange<Float> = -120...24

  /// In decibels, -120 (which is silence) to 24.
  public let gain: Parameter
  /// -1 is left, 1 right. A stereo input is balanced: the other side fades. A mono input is panned at constant power,
  /// -3 dB in the centre.
  public let pan: Parameter
  /// A bus that is off costs nothing.
  public let isEnabled: Parameter
  /// Whether it is silent; faded over 20 ms.
  public let isMuted: Parameter
  /// Where any input is soloed, only soloed ones sound.
  public let isSoloed: Parameter
  /// For each of the mixer's sends, the share of the amplitude that goes there, after gain and pan.
  public let sends: [Parameter]
  /// After gain and pan.
  public let meter = Meter()
  /// Before gain and pan, while `MixerNode.measuresBeforeFaders` is on; a mono input is in both channels.
  public let inputMeter = Meter()

  init(bus: Int, sends: [MixerSend]) {
    func parameter(
      _ name: String, _ unit: ParameterUnit, _ range: ClosedRange<Float>, _ initial: Float
    ) -> Parameter {
      Parameter(
        ramped: "input \(bus) \(name)", unit: unit, range: range, default: initial, of: .input(bus), shortName: name)
    }
    gain = parameter("gain", .decibels, Self.gainRange, 0)
    pan = parameter("pan", .pan, -1...1, 0)
    isEnabled = parameter("enable", .toggle, 0...1, 1)
    isMuted = parameter("mute", .toggle, 0...1, 0)
    isSoloed = parameter("solo", .toggle, 0...1, 0)
    self.sends = sends.map { parameter("\($0.name) send", .ratio, 0...1, $0.initialShare) }
  }

  var parameters: [Parameter] { [gain, pan, isEnabled, isMuted, isSoloed] + sends }
}

/// An auxiliary send of a mixer: a second stereo mix of its inputs, for an effect.
public struct MixerSend: Sendable {
  /// The effect's name, as the names of the parameters have it.
  public let name: String
  /// Whether anything is sent. An effect keeps ringing with what was sent before.
  public let isEnabled: Parameter
  /// The share that an input sends at first.
  let initialShare: Float

  /// - Parameter bus: the output that it is.
  init(_ name: String, initialShare: Float, bus: Int) {
    self.name = name
    self.initialShare = initialShare
    isEnabled = Parameter(
      ramped: "\(name) enable", unit: .toggle, range: 0...1, default: 1, of: .output(bus), shortName: "enable")
  }
}
