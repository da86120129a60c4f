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
  public let isMuted: Parameter
  /// Where any input is soloed, only soloed ones sound.
  public let isSoloed: Parameter
  /// After gain and pan.
  public let meter = Meter()

  init(bus: Int) {
    gain = Parameter("input \(bus) gain", unit: .decibels, range: Self.gainRange, default: 0)
    pan = Parameter("input \(bus) pan", unit: .pan, range: -1...1, default: 0)
    isEnabled = Parameter("input \(bus) enable", unit: .toggle, range: 0...1, default: 1)
    isMuted = Parameter("input \(bus) mute", unit: .toggle, range: 0...1, default: 0)
    isSoloed = Parameter("input \(bus) solo", unit: .toggle, range: 0...1, default: 0)
  }

  var parameters: [Parameter] { [gain, pan, isEnabled, isMuted, isSoloed] }
}
