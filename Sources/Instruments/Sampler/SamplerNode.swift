import AudioGraph
import CFluidSynth
import Realtime
import Synchronization

/// FluidSynth as a node: 16 MIDI channels, each a stereo output bus.
public final class SamplerNode: AudioNode {
  /// MIDI channels, and output buses.
  public static let channelCount = 16

  public let name = "sampler"
  public let inputBusCount = 0
  public let outputBusCount = channelCount
  public let sampleRate: Double
  /// What the sampler was made from.
  public let configuration: SamplerConfiguration
  /// What the sampler plays.
  public let events = EventInput()

  private let synth: FluidSynth
  private let news = SamplerNews()
  private let effects: EffectControls?
  private let beginsAnew = Atomic<Bool>(false)
  private let slot = KernelSlot<Int>()

  /// Loads the soundfonts. [control thread]
  ///
  /// - Parameters:
  ///   - sampleRate: in hertz, 8000 to 96000.
  ///   - effects: what the sampler's events control beside its own sound.
  public init(
    _ configuration: SamplerConfiguration, sampleRate: Double, effects: EffectControls? = nil
  ) throws(SamplerError) {
    self.effects = effects
    synth = try FluidSynth(configuration, sampleRate: sampleRate)
    self.sampleRate = sampleRate
    self.configuration = configuration
  }

  /// What it was made from.
  public var properties: [Property] {
    let configuration = configuration
    return [
      Property(Self.soundFonts, of: self) { .list(configuration.soundFonts.map { .text($0) }) },
      Property(Self.sampleRate, of: self) { [sampleRate] in .number(sampleRate) },
      Property(Self.polyphony, of: self) { .integer(configuration.polyphony) },
      Property(Self.gain, of: self) { .number(configuration.gain) },
    ]
  }

  /// How many voices sounded in the last quantum. [any thread]
  public var activeVoiceCount: Int { news.activeVoiceCount.load(ordering: .relaxed) }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    Array(repeating: .stereo(self.sampleRate), count: Self.channelCount)
  }

  public func reset() {
    beginsAnew.store(true, ordering: .relaxed)
    slot.reset()
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) {
      var kernel = SamplerKernel(synth, polyphony: configuration.polyphony, events, effects, news)
      kernel.beginsAnew = beginsAnew.exchange(false, ordering: .relaxed)
      return Kernel(
        kernel, retaining: [synth, events, news] + (effects?.retained ?? []),
        entry: SamplerKernel.entry)
    }
  }
}

/// What a sampler is made from.
public struct SamplerConfiguration: Sendable {
  /// Paths of soundfonts, stacked: a preset is looked for in the last one first.
  public var soundFonts: [String]
  /// How many voices may sound at once, 1 to 65535.
  public var polyphony: Int
  /// Linear, 0 to 10; 0.2 is FluidSynth's own and leaves room for a full score.
  public var gain: Double

  public init(soundFonts: [String], polyphony: Int = 256, gain: Double = 0.2) {
    self.soundFonts = soundFonts
    self.polyphony = min(max(polyphony, 1), 65535)
    self.gain = gain
  }
}

/// What the audio thread tells of the sampler.
final class SamplerNews: Sendable {
  let activeVoiceCount = Atomic<Int>(0)
  let lostVoiceCount = Atomic<Int>(0)
  let refusedTuningCount = Atomic<Int>(0)
}
