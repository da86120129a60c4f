import Realtime

/// A multichannel mixer: any number of mono or stereo inputs, one stereo output. Every change is ramped over 20 ms.
public final class MixerNode: AudioNode {
  public let name: String
  public let outputBusCount = 1
  /// One strip per input bus.
  public let inputs: [MixerInput]
  /// The level of the mix in decibels, -120 (which is silence) to 24.
  public let outputGain = Parameter("output gain", unit: .decibels, range: MixerInput.gainRange, default: 0)
  public let outputMeter = Meter()
  private let slot = KernelSlot<Double>()

  public init(name: String = "mixer", inputBusCount: Int) {
    self.name = name
    inputs = (0..<inputBusCount).map { MixerInput(bus: $0) }
  }

  public var inputBusCount: Int { inputs.count }
  public var parameters: [Parameter] { inputs.flatMap(\.parameters) + [outputGain] }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    for (bus, format) in inputs.enumerated() {
      guard let format else { continue }
      guard (1...2).contains(format.channelCount) else {
        throw FormatRefusal(
          bus: bus, reason: "the mixer takes mono or stereo, not \(format.channelCount) channels",
          remedy: "put a converter between them")
      }
      guard format.sampleRate == sampleRate else {
        throw FormatRefusal(
          bus: bus, reason: "it runs at \(format.sampleRate) Hz, the mixer at \(sampleRate) Hz",
          remedy: "put a converter between them")
      }
    }
    return [.stereo(sampleRate)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats.sampleRate) {
      Kernel(MixerKernel(self, sampleRate: formats.sampleRate), retaining: retained, entry: MixerKernel.entry)
    }
  }

  public func reset() { slot.reset() }

  private var retained: [AnyObject] { parameters + inputs.map(\.meter) + [outputMeter] }
}

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
