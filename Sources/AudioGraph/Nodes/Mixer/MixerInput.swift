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
  public private(set) var sends: [Parameter]
  /// The output bus that takes it in place of the mix: 0 is the mix, a send's bus that send.
  package let destination: Parameter
  /// After gain and pan.
  public let meter = Meter()
  /// Before gain and pan, while `MixerNode.measuresBeforeFaders` is on; a mono input is in both channels.
  public let inputMeter = Meter()

  private let bus: Int

  init(bus: Int, sends: [MixerSend]) {
    self.init(bus: bus, prefix: "input \(bus) ")
    for send in sends { add(send) }
  }

  /// The only input of a fader.
  init(fader: Void) { self.init(bus: 0, prefix: "") }

  private init(bus: Int, prefix: String) {
    func parameter(
      _ name: String, _ unit: ParameterUnit, _ range: ClosedRange<Float>, _ initial: Float
    ) -> Parameter {
      Parameter(ramped: prefix + name, unit: unit, range: range, default: initial, of: .input(bus), shortName: name)
    }
    self.bus = bus
    gain = parameter("gain", .decibels, Self.gainRange, 0)
    pan = parameter("pan", .pan, -1...1, 0)
    isEnabled = parameter("enable", .toggle, 0...1, 1)
    isMuted = parameter("mute", .toggle, 0...1, 0)
    isSoloed = parameter("solo", .toggle, 0...1, 0)
    destination = Parameter(
      prefix + "destination", unit: .ratio, range: 0...Float(MixerNode.mostSends), default: 0, of: .input(bus))
    sends = []
  }

  /// Gives it a share for a send after the others.
  mutating func add(_ send: MixerSend) {
    let name = "\(send.name) send"
    sends.append(
      Parameter(
        ramped: "input \(bus) \(name)", unit: .ratio, range: 0...1, default: send.initialShare, of: .input(bus),
        shortName: name))
  }

  var parameters: [Parameter] { [gain, pan, isEnabled, isMuted, isSoloed] + sends }
  /// What its strip reads.
  var objects: [AnyObject] { parameters + [destination, meter, inputMeter] }
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
