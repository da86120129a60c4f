import AudioGraph
import MIDI
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

  /// What the audio thread tells of the channels' presets.
  let presets = PresetNewsMemory()
  private let loaded: Guarded<Loaded>
  /// Makes those who load take turns, for what is loaded last is what plays.
  private let turns = Guarded(())
  private let requests = RingBuffer<PresetRequest>(minimumCapacity: 256)
  private let sets = Handoff<RackSet>()
  private let stage: RackStageMemory
  private let news = RackNews()
  private let effects: EffectControls?
  private let beginsAnew = Atomic<Bool>(false)
  private let slot = KernelSlot<Int>()

  private struct Loaded: Sendable {
    var configuration: RackConfiguration
    /// Presets that channels have asked for.
    var asked: Set<PresetRequest> = []
    /// Those that are not freed yet, oldest first.
    var sets: [WeakSet] = []
    /// The number of the last one.
    var serial: UInt32 = 0

    struct WeakSet: Sendable {
      weak var set: RackSet?
    }
  }

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
    loaded = Guarded(Loaded(configuration: configuration))
    stage = RackStageMemory(sets, presets)
    let set = try load(configuration)
    // Nobody renders yet.
    set.core.pointee.publish(presets.news, serial: set.serial)
  }

  /// What it plays with, or will from the next quantum on. [control threads]
  public var configuration: RackConfiguration { loaded.withLock { $0.configuration } }

  /// Loads other instruments and lets them play from the next quantum on, without a gap. [control threads]
  ///
  /// Channels keep their programs, controllers, tunings and MPE zones. Notes that sound are finished by the instruments they
  /// began on, which follow pedals, bends and all else until they are silent. Where those of the exchange before still
  /// sound then, they are faded in 256 frames first.
  ///
  /// - Throws: `SamplerError`; all is then as before.
  public func exchange(_ configuration: RackConfiguration) throws(SamplerError) {
    try exchange { _ in configuration }
  }

  /// Loads what the notes of a song need, if the configuration loads only what is used and the song is not among its
  /// songs. [control threads]
  public func load(_ song: Song) throws(SamplerError) {
    try exchange { present in
      guard case .used(let songs) = present.sampler.preload, !songs.contains(where: song.hasEvents) else { return nil }
      var new = present
      new.sampler.preload = .used(songs + [song])
      return new
    }
  }

  /// Loads all presets, if the configuration does not. [control threads]
  public func loadAllPresets() throws(SamplerError) {
    try exchange { present in
      guard case .used = present.sampler.preload else { return nil }
      var new = present
      new.sampler.preload = .all
      return new
    }
  }

  /// Loads the presets that channels were given since the last call and that were not there; each channel then has its
  /// own. [control threads]
  public func loadAskedPresets() throws(SamplerError) {
    try exchange { takeRequests() ? $0 : nil }
  }

  /// Loads what is to follow the present configuration; nil leaves all as it is.
  private func exchange(_ next: (RackConfiguration) -> RackConfiguration?) throws(SamplerError) {
    let outcome: Result<Void, SamplerError> = turns.withLock { _ in
      guard let new = next(configuration) else { return .success(()) }
      do throws(SamplerError) {
        try load(new)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }

  /// Loads a set and sends it to the audio thread.
  @discardableResult
  private func load(_ configuration: RackConfiguration) throws(SamplerError) -> RackSet {
    takeRequests()
    let (serial, asked) = loaded.withLock { loaded in
      loaded.serial += 1
      return (loaded.serial, loaded.asked)
    }
    let set = try RackSet(configuration, serial: serial, asked: asked, requests: requests, sampleRate: sampleRate)
    loaded.withLock { loaded in
      loaded.configuration = configuration
      sets.send(set)
      loaded.sets = loaded.sets.filter { $0.set != nil } + [Loaded.WeakSet(set: set)]
    }
    return set
  }

  /// Notes what channels have asked for.
  ///
  /// - Returns: whether there was anything new: what is asked for again is on its way.
  @discardableResult
  private func takeRequests() -> Bool {
    loaded.withLock { loaded in
      var isNew = false
      while let request = requests.consumer.pop() { isNew = loaded.asked.insert(request).inserted || isNew }
      return isNew
    }
  }

  /// The names of the presets of a set that is not freed yet.
  func presetIndex(of serial: UInt32) -> PresetIndex? {
    loaded.withLock { $0.sets.lazy.compactMap(\.set).first { $0.serial == serial }?.presets }
  }

  /// Frees what was exchanged and has fallen silent; the next exchange does so too. [control threads]
  ///
  /// - Returns: whether nothing is left of it.
  @discardableResult
  public func collect() -> Bool { loaded.withLock { _ in sets.collect() } }

  /// How many voices sounded in the last quantum. [any thread]
  public var activeVoiceCount: Int { news.activeVoiceCount.load(ordering: .relaxed) }

  /// Oscillator voices that were never heard, because too many others were still fading. [any thread]
  public var lostVoiceCount: Int { news.lostVoiceCount.load(ordering: .relaxed) }

  /// Messages of the MIDI Tuning Standard that were passed over: damaged ones, and those for more than the 128 programs
  /// there is room for. [any thread]
  public var refusedTuningCount: Int { news.refusedTuningCount.load(ordering: .relaxed) }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    Array(repeating: .stereo(self.sampleRate), count: outputBusCount)
  }

  public func reset() {
    events.reset()
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
  let lostVoiceCount = Atomic<Int>(0)
  let refusedTuningCount = Atomic<Int>(0)
}

/// A rack's stage in memory of its own, which its kernels share as one follows the other.
private final class RackStageMemory: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<RackStage>
  private let presets: PresetNewsMemory

  init(_ sets: Handoff<RackSet>, _ presets: PresetNewsMemory) {
    self.presets = presets
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: RackStage(sets, presets.news))
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
