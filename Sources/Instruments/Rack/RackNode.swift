import AudioGraph
import Synchronization

/// The sampler and the oscillator instrument side by side: 16 MIDI channels, each a stereo output bus.
///
/// Which of them plays a note is its channel's and its key's affair; several may play at once, as layers. Without a sampler
/// it is the oscillator instrument alone, and no soundfont is loaded.
public final class RackNode: AudioNode {
  public let name = "instruments"
  public let inputBusCount = 0
  public let outputBusCount = SamplerNode.channelCount
  public let sampleRate: Double
  /// What the instruments play.
  public let events = EventInput()

  private let configuration: RackConfiguration
  private let synth: FluidSynth?
  private let news = SamplerNews()
  private let effects: EffectControls?
  private let beginsAnew = Atomic<Bool>(false)
  private let slot = KernelSlot<Int>()

  /// Loads the soundfonts if any channel wants the sampler. [control thread]
  ///
  /// - Parameters:
  ///   - sampleRate: in hertz, 8000 to 96000.
  ///   - effects: what events control beside the instruments' own sound.
  public init(
    _ configuration: RackConfiguration, sampleRate: Double, effects: EffectControls? = nil
  ) throws(SamplerError) {
    self.effects = effects
    let needsSampler = InstrumentAssignment.needSampler(configuration.assignments)
    synth = needsSampler ? try FluidSynth(configuration.sampler, sampleRate: sampleRate) : nil
    self.configuration = configuration
    self.sampleRate = sampleRate
  }

  /// How many voices sounded in the last quantum. [any thread]
  public var activeVoiceCount: Int { news.activeVoiceCount.load(ordering: .relaxed) }

  /// What plays where, and from which soundfonts.
  public var properties: [Property] {
    let assignments = configuration.assignments
    let instruments = assignments.isEmpty ? [InstrumentAssignment(.sampler)] : assignments
    let texts: [(name: String, values: [String])] = [
      ("instruments", instruments.map(\.description)),
      ("sound fonts", synth == nil ? [] : configuration.sampler.soundFonts),
    ]
    return texts.filter { !$0.values.isEmpty }.map { name, values in
      Property(name, of: self, kind: .list(of: .text, count: 0...Int.max)) { .list(values.map { .text($0) }) }
    }
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    Array(repeating: .stereo(self.sampleRate), count: outputBusCount)
  }

  public func reset() {
    beginsAnew.store(true, ordering: .relaxed)
    slot.reset()
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) {
      var kernel = RackKernel(configuration, synth, events, effects, news, sampleRate: sampleRate)
      kernel.beginsAnew = beginsAnew.exchange(false, ordering: .relaxed)
      let retained: [AnyObject?] = [synth, events, news] + (effects?.retained ?? [])
      return Kernel(kernel, retaining: retained.compactMap(\.self), entry: RackKernel.entry)
    }
  }
}

/// What a rack is made from.
public struct RackConfiguration: Sendable {
  /// Used where a channel plays the sampler; its gain is also that of the oscillator voices.
  public var sampler: SamplerConfiguration
  /// Left empty, all channels play the sampler.
  public var assignments: [InstrumentAssignment]
  /// How many oscillator voices may sound at once, 1 to 8192.
  public var polyphony: Int

  public init(
    sampler: SamplerConfiguration = SamplerConfiguration(soundFonts: []), assignments: [InstrumentAssignment],
    polyphony: Int = 256
  ) {
    self.sampler = sampler
    self.assignments = assignments
    self.polyphony = min(max(polyphony, 1), 8192)
  }
}
