import SynthDSP
import SynthRealtime

/// Plays a sine, sawtooth, square, triangle or white noise, the same in every channel of its one output.
///
/// Aliasing is 90 dB and more below the fundamental, at any pitch; `WaveTables` tells how far up the harmonics reach.
/// Pitch and level change in straight lines, and the waveform in a fade, over `rampDuration`.
public final class SignalGeneratorNode: AudioNode {
  public let name: String
  public let inputBusCount = 0
  public let outputBusCount = 1
  /// How many channels the output has.
  public let channelCount: Int
  /// In hertz; what is beyond half the sample rate is played at half the rate.
  public let frequency: Parameter
  /// In decibels, -120 (which is silence) to 24. At 0 dB the ideal waveform is at full scale; that of limited bandwidth
  /// overshoots at its jumps, by 1.5 dB.
  public let level: Parameter
  private let selected: CheckedMutex<Waveform>
  private let cell = Box(SignalGeneratorCell())
  private let slot = KernelSlot<Double>()

  /// - Parameters:
  ///   - frequency: in hertz.
  ///   - level: in decibels.
  public init(
    name: String = "signal generator", waveform: Waveform = .sine, frequency: Float = 440, level: Float = -12,
    channelCount: Int = 1
  ) {
    self.name = name
    self.channelCount = max(1, channelCount)
    self.frequency = Parameter(
      "frequency", unit: .hertz, range: 0...192_000, default: 440, precision: .frame, rampDuration: 0.1)
    self.level = Parameter(
      "level", unit: .decibels, range: -120...24, default: -12, precision: .frame, rampDuration: 0.1)
    self.frequency.value = frequency
    self.level.value = level
    selected = CheckedMutex(waveform)
    cell.pointer.pointee.tables.store(WaveTables(of: waveform)?.address ?? 0, ordering: .releasing)
  }

  public var parameters: [Parameter] { [frequency, level] }

  public var properties: [Property] {
    [
      Property(Self.channels, of: self) { [channelCount] in .integer(channelCount) },
      Property("waveform", of: self, kind: .choice(Waveform.allCases.map(\.rawValue))) { [self] in
        .text(waveform.rawValue)
      } write: { [self] value in
        if let waveform = value.text.flatMap(Waveform.init) { self.waveform = waveform }
      },
      Property("ramp duration", of: self, kind: .number(0...3600, unit: .seconds)) { [self] in
        .number(rampDuration)
      } write: { [self] value in
        if let duration = value.number { rampDuration = duration }
      },
    ]
  }

  static let channels = CreationProperty("channel count", kind: .integer(1...1024))

  /// What is played. The first use of a waveform makes its tables, in some 40 ms. [control thread]
  public var waveform: Waveform {
    get { selected.withLock { $0 } }
    set {
      selected.withLock { waveform in
        waveform = newValue
        cell.pointer.pointee.tables.store(WaveTables(of: newValue)?.address ?? 0, ordering: .releasing)
      }
    }
  }

  /// How long a change of frequency, level or waveform takes, in seconds; at least one quantum. [control thread]
  public var rampDuration: Double {
    get { frequency.rampDuration }
    set {
      let duration = min(max(0, newValue), 3600)  // in this order what is not a number becomes 0
      frequency.rampDuration = duration
      level.rampDuration = duration
    }
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    [AudioFormat(sampleRate: sampleRate, channelCount: channelCount)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats.sampleRate) {
      Kernel(
        SignalGeneratorKernel(self, cell.pointer, sampleRate: formats.sampleRate),
        retaining: [frequency, level, cell], entry: SignalGeneratorKernel.entry)
    }
  }

  public func reset() { slot.reset() }
}
