import SynthDSP
import SynthRealtime

/// A 3D mixer: mono inputs, each in its place around a listener, played to headphones, two loudspeakers or a surround
/// layout, with attenuation by distance, obstacles, Doppler and a reverb for all. (`AUSpatialMixer`, OpenAL)
///
/// An input of more channels or another rate is converted on its way in; channels become their mean. Everything is
/// approached over 20 ms, so that whatever moves or jumps is heard without a click.
public final class SpatialMixerNode: AudioNode {
  /// How many inputs a spatial mixer may have.
  public static let inputCounts = 1...256

  public let name: String
  public let inputBusCount: Int
  public let outputBusCount = 1
  /// The output's channels, in the order of WAVE files. The channel of low frequencies stays silent.
  public let layout: SpeakerLayout
  /// What inputs that are played by HRTF are played through.
  public let hrtf: HRTFSet
  /// Place, sound and rendering of each input, by its bus.
  public let inputs: [SpatialInput]
  /// Where the listener is, and how the head is turned.
  public let listener = SpatialListener()
  /// In decibels, -120 (which is silence) to 24.
  public let outputGain = Parameter(
    "output gain", unit: .decibels, range: MixerInput.gainRange, default: 0, rampDuration: levelRampDuration)
  /// The room's place among `ReverbType.allCases`; heard where an input has a reverb blend, in front left and right.
  public let reverbType: Parameter
  /// How long the lows take to fall by 60 dB.
  public let reverbTime: Parameter
  /// In decibels, -120 (which is silence) to 12.
  public let reverbLevel = Parameter(
    "reverb level", unit: .decibels, range: -120...12, default: 0, rampDuration: levelRampDuration)
  private let slot = KernelSlot<Double>()

  /// Reads the set of head-related transfer functions that comes with libmysofa if none is given. [control thread]
  ///
  /// - Parameter inputBusCount: 1 to 256.
  public init(
    name: String = "spatial mixer", inputBusCount: Int, layout: SpeakerLayout = .stereo, hrtf: HRTFSet? = nil
  ) throws(SpatialMixerError) {
    guard Self.inputCounts.contains(inputBusCount) else { throw .inputCount(inputBusCount) }
    self.name = name
    self.inputBusCount = inputBusCount
    self.layout = layout
    do throws(HRTFError) {
      self.hrtf = if let hrtf { hrtf } else { try HRTFSet.standard() }
    } catch {
      throw .hrtf(error)
    }
    inputs = (0..<inputBusCount).map(SpatialInput.init(bus:))
    let types = ReverbType.allCases
    let type = ReverbType.mediumRoom
    reverbType = Parameter(
      "reverb type", unit: .index(types.map(\.name)), range: 0...Float(types.count - 1),
      default: Float(types.firstIndex(of: type) ?? 0))
    reverbTime = Parameter("reverb time", unit: .seconds, range: 0.1...20, default: type.standardTime)
  }

  /// Puts the scene into a room, with the time that is usual in it. [any thread]
  public func setReverb(_ type: ReverbType) {
    reverbType.value = Float(ReverbType.allCases.firstIndex(of: type) ?? 0)
    reverbTime.value = type.standardTime
  }

  public var parameters: [Parameter] {
    inputs.flatMap(\.parameters) + listener.parameters + [outputGain, reverbType, reverbTime, reverbLevel]
  }

  public var properties: [Property] {
    [
      Property(Self.busCount, of: self) { [inputBusCount] in .integer(inputBusCount) },
      Property(Self.speakers, of: self) { [layout] in .text(layout.rawValue) },
      Property(Self.hrtfFile, of: self) { [hrtf] in .text(hrtf.path) },
    ]
  }

  static let busCount = CreationProperty("input bus count", kind: .integer(inputCounts))
  static let speakers = CreationProperty("layout", kind: .choice(SpeakerLayout.allCases.map(\.rawValue)))
  /// A path.
  static let hrtfFile = CreationProperty("HRTF file", kind: .text)

  /// What is read between samples needs some of the samples after it. The way around the head, up to a millisecond, is
  /// not counted.
  public var latency: Int { MovingDelay.shortestDelay }

  public func inputFormat(bus: Int, offered: AudioFormat, sampleRate: Double) -> AudioFormat { .mono(sampleRate) }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    guard (8000...192_000).contains(sampleRate) else {
      throw FormatRefusal(
        bus: 0, reason: "the spatial mixer cannot run at \(hertz(sampleRate))",
        remedy: "run the engine at 8000 to 192000 Hz")
    }
    return [AudioFormat(sampleRate: sampleRate, channelCount: layout.channelCount)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats.sampleRate) {
      let (table, sinc) = (hrtf.table(sampleRate: formats.sampleRate), SincTable())
      let kernel = SpatialMixerKernel(self, table, sinc, sampleRate: formats.sampleRate)
      return Kernel(kernel, retaining: parameters + [table, sinc], entry: SpatialMixerKernel.entry)
    }
  }

  public func reset() { slot.reset() }
}

/// A spatial mixer that cannot be made.
public enum SpatialMixerError: Error, Equatable, CustomStringConvertible {
  /// The number is outside `SpatialMixerNode.inputCounts`.
  case inputCount(Int)
  /// The set of head-related transfer functions cannot be read.
  case hrtf(HRTFError)

  public var description: String {
    switch self {
    case .inputCount(let count):
      "making a spatial mixer: \(count) inputs; give it \(SpatialMixerNode.inputCounts.lowerBound) to "
        + "\(SpatialMixerNode.inputCounts.upperBound)"
    case .hrtf(let error): "making a spatial mixer: \(error)"
    }
  }
}
