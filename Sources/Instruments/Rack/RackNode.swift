import AudioGraph
import Realtime
import Synchronization

/// The sampler and the oscillator instruments side by side: 16 MIDI channels, each a stereo output bus.
///
/// Which of them plays a note is its channel's and its key's affair; several may play at once, as layers. Without
/// assignments all channels play the sampler; where none does, no soundfont is loaded.
public final class RackNode: AudioNode {
  /// MIDI channels, and output buses.
  public static let channelCount = midiChannelCount

  public let name: String
  public let inputBusCount = 0
  public let outputBusCount = RackNode.channelCount
  public let sampleRate: Double
  /// What the instruments play.
  public let events = EventInput()

  private let loaded: Guarded<RackConfiguration>
  private let sets = Handoff<RackSet>()
  private let stage: RackStageMemory
  private let news = RackNews()
  private let effects: EffectControls?
  private let beginsAnew = Atomic<Bool>(false)
  private let slot = KernelSlot<Int>()

  /// Loads the soundfonts if any channel wants the sampler. [control thread]
  ///
  /// - Parameters:
  ///   - sampleRate: in hertz, 8000 to 96000.
  ///   - effects: what events control beside the instruments' own sound.
  public convenience init(
    _ configuration: RackConfiguration, sampleRate: Double, effects: EffectControls? = nil
  ) throws(SamplerError) {
    try self.init(named: "instruments", configuration, sampleRate: sampleRate, effects: effects)
  }

  /// The sampler on all channels. [control thread]
  public convenience init(
    _ sampler: SamplerConfiguration, sampleRate: Double, effects: EffectControls? = nil
  ) throws(SamplerError) {
    try self.init(named: "sampler", RackConfiguration(sampler: sampler), sampleRate: sampleRate, effects: effects)
  }

  private init(
    named name: String, _ configuration: RackConfiguration, sampleRate: Double, effects: EffectControls?
  ) throws(SamplerError) {
    self.name = name
    self.effects = effects
    self.sampleRate = sampleRate
    loaded = Guarded(configuration)
    stage = RackStageMemory(sets)
    sets.send(try RackSet(configuration, sampleRate: sampleRate))
  }

  /// What it plays with, or will from the next quantum on. [control threads]
  public var configuration: RackConfiguration { loaded.withLock { $0 } }

  /// Loads other instruments and lets them play from the next quantum on, without a gap. [control threads]
  ///
  /// Channels keep their programs, controllers, tunings and MPE zones. Notes that sound are finished by the instruments they
  /// began on, which follow pedals, bends and all else until they are silent. Where those of the exchange before still
  /// sound then, they are faded in 256 frames first.
  ///
  /// - Throws: `SamplerError`; all is then as before.
  public func exchange(_ configuration: RackConfiguration) throws(SamplerError) {
    let set = try RackSet(configuration, sampleRate: sampleRate)
    loaded.withLock { loaded in
      loaded = configuration
      sets.send(set)
    }
  }

  /// Frees what was exchanged and has fallen silent; the next exchange does so too. [control threads]
  ///
  /// - Returns: whether nothing is left of it.
  @discardableResult
  public func collect() -> Bool { loaded.withLock { _ in sets.collect() } }

  /// How many voices sounded in the last quantum. [any thread]
  public var activeVoiceCount: Int { news.activeVoiceCount.load(ordering: .relaxed) }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    Array(repeating: .stereo(self.sampleRate), count: outputBusCount)
  }

  public func reset() {
    beginsAnew.store(true, ordering: .relaxed)
    slot.reset()
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) {
      let kernel = RackKernel(
        stage.pointer, events, effects, news, beginsAnew: beginsAnew.exchange(false, ordering: .relaxed))
      return Kernel(
        kernel, retaining: [stage, sets, events, news] + (effects?.retained ?? []), entry: RackKernel.entry)
    }
  }
}

/// `RackNode.channelCount` for the audio thread, to which a class is no place to look into.
var midiChannelCount: Int {
  @_noLocks get { 16 }
}

/// What the audio thread tells of a rack.
final class RackNews: Sendable {
  let activeVoiceCount = Atomic<Int>(0)
}

/// A rack's stage in memory of its own, which its kernels share as one follows the other.
private final class RackStageMemory: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<RackStage>

  init(_ sets: Handoff<RackSet>) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: RackStage(sets))
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
