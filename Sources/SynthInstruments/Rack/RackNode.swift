import AudioGraph
import Synchronization
import SynthMIDI
import SynthRealtime

/// Sound engines side by side, the sampler and the oscillators for example: 16 MIDI channels for each port, each a
/// stereo output bus.
///
/// It has one port at first. `load(_:)` adds those that a song needs; the buses come with the next edit of the graph.
/// Ports share nothing but what `EffectControls` are: messages and resets of one leave the others alone.
///
/// The channel and the key of a note decide which of them play it; several may play at once, as layers. Without
/// assignments all channels play the sampler. An engine that no channel plays is not loaded.
public final class RackNode: AudioNode {
  /// MIDI channels, and output buses, of a port.
  public static let channelCount = midiChannelCount
  /// What FluidSynth renders at, in hertz.
  public static let sampleRates: ClosedRange<Double> = 8000...96000

  public let name: String
  public let inputBusCount = 0
  public var outputBusCount: Int { RackNode.channelCount * portCount }
  public let sampleRate: Double
  /// What the instruments play, at times in frames of `sampleRate`.
  public let events = EventInput()

  private let presets = PresetReporterMemory()
  private let loaded: CheckedMutex<Loaded>
  /// One thread loads at a time, because the rack that is loaded last is the one that plays.
  private let turns = CheckedMutex(())
  private let presetRequests = RingBuffer<PresetRequest>(minimumCapacity: 256)
  private let racks = Handoff<LoadedRack>()
  /// What plays from the next song on.
  private let nextRacks = Handoff<LoadedRack>()
  private let turn = Box(SongTurn())
  /// What the first port was told.
  private let performance = Box(Performance())
  private let crossfade: Box<RackCrossfade>
  private let reporter = RackReporter()
  private let ahead = Box<UnsafeRenderAhead?>(nil)
  private let aheadThread = CheckedMutex<RenderAhead?>(nil)
  private let effects: EffectControls?
  /// What a property can choose from.
  let engines: [SamplerEngine]
  private let isFresh = Atomic<Bool>(false)
  private let slot = KernelSlot<Int>()

  private struct Loaded: Sendable {
    var configuration: RackConfiguration
    /// From the next song on, if that is not the same.
    var next: (configuration: RackConfiguration, rack: LoadedRack)?
    var askedPresets: Set<PresetRequest> = []
    /// What each port was told.
    var performances: [Box<Performance>]
    /// Those that are not freed yet, oldest first.
    var racks: [WeakRack] = []
    /// The number of the last one.
    var serial: UInt32 = 0

    struct WeakRack: Sendable {
      weak var rack: LoadedRack?
    }

    mutating func note(_ rack: LoadedRack) { racks = racks.filter { $0.rack != nil } + [WeakRack(rack: rack)] }

    /// Notices that the next song has begun.
    mutating func follow(_ racks: Handoff<LoadedRack>) {
      guard let next, !racks.isPending else { return }
      (configuration, self.next) = (next.configuration, nil)
    }
  }

  /// Loads the engines of the assignments. [control thread]
  ///
  /// - Parameters:
  ///   - sampleRate: in hertz, within `sampleRates`.
  ///   - effects: what events control outside the instruments.
  public convenience init(
    _ configuration: RackConfiguration, sampleRate: Double, effects: EffectControls? = nil
  ) throws(InstrumentError) {
    try self.init(configuration, sampleRate: sampleRate, effects: effects, engines: [.native])
  }

  /// The sampler on all channels. [control thread]
  public convenience init(
    _ sampler: SamplerConfiguration, sampleRate: Double, effects: EffectControls? = nil
  ) throws(InstrumentError) {
    try self.init(
      RackConfiguration(sampler: sampler), sampleRate: sampleRate, effects: effects, engines: [.native],
      name: "sampler")
  }

  /// Loads the engines of the assignments. [control thread]
  ///
  /// - Parameter engines: what the sampler's property "sampler engine" may choose from, besides what it has.
  package init(
    _ configuration: RackConfiguration, sampleRate: Double, effects: EffectControls? = nil, engines: [SamplerEngine],
    name: String = "instruments"
  ) throws(InstrumentError) {
    self.name = name
    let present = configuration.sampler.engine
    self.engines = engines.contains(present) ? engines : engines + [present]
    self.effects = effects
    self.sampleRate = sampleRate
    loaded = CheckedMutex(Loaded(configuration: configuration, performances: [performance]))
    crossfade = Box(
      RackCrossfade(
        racks, next: nextRacks, turn.pointer, presets.reporter, performance.pointer, sampleRate: sampleRate))
    // Nothing renders yet.
    let rack = try load(configuration)
    send(rack, configuration)
    for port in 0..<rack.ports.count { rack.ports[port].report(presets.reporter, port: port) }
  }

  /// The present configuration; the audio thread may take it over at the next quantum only. [control thread]
  public var configuration: RackConfiguration {
    loaded.withLock { loaded in
      loaded.follow(nextRacks)
      loaded.configuration.portCount = loaded.performances.count
      return loaded.configuration
    }
  }

  /// How many ports it has, 1 to 4. [any thread]
  public var portCount: Int { loaded.withLock { $0.performances.count } }

  /// Loads other instruments and lets them play from the next quantum on, without a gap. [control thread]
  ///
  /// Channels keep their programs, controllers, tunings and MPE zones. Notes that sound are finished by the engines
  /// they began on, which follow pedals, bends and all other events until they are silent. If engines of an earlier
  /// exchange still sound then, they are faded in 256 frames first.
  ///
  /// - Throws: `InstrumentError`; the rack then stays as it is.
  public func exchange(_ configuration: RackConfiguration) throws(InstrumentError) {
    try exchange { _ in configuration }
  }

  /// Loads the configuration that follows the present one; nil for no change.
  func exchange(_ next: (RackConfiguration) -> RackConfiguration?) throws(InstrumentError) {
    try inTurn { () throws(InstrumentError) in
      guard let new = next(configuration) else { return }
      let waiting = takeBackNext()
      send(try load(new), new)
      guard var waiting else { return }
      // What the next song needs apart, it is changed as well.
      let sampler = waiting.sampler
      waiting = new
      waiting.sampler.bank = sampler.bank
      if case .used = new.sampler.preload { waiting.sampler.preload = sampler.preload }
      try sendNext(waiting)
      // Its song may have come to its turn meanwhile.
      loaded.withLock { advance(&$0) }
    }
  }

  /// Loads the configuration that follows the present one with the next song; without another bank it follows at once.
  func loadNext(_ next: (RackConfiguration) -> RackConfiguration) throws(InstrumentError) {
    try inTurn { () throws(InstrumentError) in
      takeBackNext()
      let present = configuration
      let new = next(present)
      if new.sampler.bank != present.sampler.bank {
        turn.pointer.pointee.song.store(events.songCount, ordering: .relaxed)
        try sendNext(new)
      } else if new.sampler.preload.songCount != present.sampler.preload.songCount
        || new.portCount != present.portCount
      {
        send(try load(new), new)
      }
    }
  }

  /// Takes back what was to play from the next song on, if that has not begun.
  @discardableResult
  private func takeBackNext() -> RackConfiguration? {
    loaded.withLock { loaded in
      advance(&loaded)
      guard nextRacks.withdraw() else { return nil }
      defer { loaded.next = nil }
      return loaded.next?.configuration
    }
  }

  /// Lets what plays from the next song on play at once, if that song has had its turn and has not begun: it waits for
  /// silence.
  private func advance(_ loaded: inout Loaded) {
    loaded.follow(nextRacks)
    let isDue = events.clock.song > turn.pointer.pointee.song.load(ordering: .relaxed)
    guard let next = loaded.next, isDue, nextRacks.withdraw() else { return }
    next.rack.ports.setForNextSong(false)
    (loaded.configuration, loaded.next) = (next.configuration, nil)
    racks.send(next.rack)
  }

  private func sendNext(_ configuration: RackConfiguration) throws(InstrumentError) {
    let rack = try load(configuration, isForNextSong: true)
    loaded.withLock { loaded in
      loaded.next = (configuration, rack)
      nextRacks.send(rack)
      loaded.note(rack)
    }
  }

  private func send(_ rack: LoadedRack, _ configuration: RackConfiguration) {
    loaded.withLock { loaded in
      loaded.configuration = configuration
      racks.send(rack)
      loaded.note(rack)
    }
  }

  private func inTurn(_ body: () throws(InstrumentError) -> Void) throws(InstrumentError) {
    let outcome: Result<Void, InstrumentError> = turns.withLock { _ in
      do throws(InstrumentError) {
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }

  private func load(
    _ configuration: RackConfiguration, isForNextSong: Bool = false
  ) throws(InstrumentError) -> LoadedRack {
    takePresetRequests()
    let (serial, askedPresets, performances) = loaded.withLock { loaded in
      loaded.serial += 1
      while loaded.performances.count < configuration.portCount { loaded.performances.append(Box(Performance())) }
      return (loaded.serial, loaded.askedPresets, loaded.performances)
    }
    return try LoadedRack(
      configuration, serial: serial, isForNextSong: isForNextSong, performances: performances,
      askedPresets: askedPresets, presetRequests: presetRequests, sampleRate: sampleRate)
  }

  /// Notes the presets that channels have asked for.
  ///
  /// - Returns: whether there was a new one; the others are being loaded already.
  @discardableResult
  func takePresetRequests() -> Bool {
    loaded.withLock { loaded in
      var isNew = false
      while let request = presetRequests.consumer.pop() {
        isNew = loaded.askedPresets.insert(request).inserted || isNew
      }
      return isNew
    }
  }

  /// What a channel plays: the first of its engines that has a preset tells it; nil for nothing. [any thread]
  ///
  /// - Parameter channel: among those of all ports, from 0.
  public func preset(ofChannel channel: Int) -> ChannelPreset? {
    guard (0..<outputBusCount).contains(channel), let report = presets.preset(ofChannel: channel) else { return nil }
    return preset(ofRack: report.serial, engine: report.engine, code: report.code, channel: channel)
  }

  func preset(ofRack serial: UInt32, engine: Int, code: UInt32, channel: Int) -> ChannelPreset? {
    let rack = loaded.withLock { loaded in
      loaded.racks.lazy.compactMap(\.rack).first { $0.serial & 0xFF_FFFF == serial & 0xFF_FFFF }
    }
    return rack?.preset(ofChannel: channel, engine: engine, code: code)
  }

  /// Frees the engines of former configurations that have fallen silent; the next exchange does so too. [control
  /// thread]
  ///
  /// - Returns: whether none is left.
  @discardableResult
  public func collect() -> Bool {
    loaded.withLock { loaded in
      loaded.follow(nextRacks)
      let isDone = racks.collect()
      return nextRacks.collect() && isDone
    }
  }

  /// How many voices sounded in the last quantum. [any thread]
  public var activeVoiceCount: Int { reporter.activeVoiceCount.load(ordering: .relaxed) }

  /// Voices that were never heard, because too many others were still fading. [any thread]
  public var lostVoiceCount: Int { reporter.lostVoiceCount.load(ordering: .relaxed) }

  /// Voices that ended early because others needed their place. [any thread]
  public var stolenVoiceCount: Int { reporter.stolenVoiceCount.load(ordering: .relaxed) }

  /// Messages of the MIDI Tuning Standard that were ignored: damaged ones, and those that go beyond 128 programs.
  /// [any thread]
  public var refusedTuningCount: Int { reporter.refusedTuningCount.load(ordering: .relaxed) }

  /// Renders ahead of the graph from the next quantum on, on another thread, until `endAhead`. For a graph that is
  /// rendered by hand and for one song: the metronome hears of no beats, and `activeVoiceCount` is that of up to 21 ms
  /// later. Not while the graph renders. [control thread]
  package func beginAhead() throws(WorkerThreadError) {
    let thread = try RenderAhead(busCount: outputBusCount, team: configuration.sampler.cores.team)
    aheadThread.withLock { $0 = thread }
    events.clicks.memory.mute(true)
    ahead.pointer.pointee = thread.board
  }

  /// Ends what `beginAhead` began; the node must be reset before it renders again. Not while the graph renders.
  /// [control thread]
  package func endAhead() {
    guard let thread = aheadThread.withLock({ $0.take() }) else { return }
    thread.end()
    ahead.pointer.pointee = nil
    events.clicks.memory.mute(false)
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    Array(repeating: .stereo(self.sampleRate), count: outputBusCount)
  }

  public func reset() {
    events.reset()
    isFresh.store(true, ordering: .relaxed)
    slot.reset()
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) {
      let kernel = RackKernel(
        crossfade.pointer, events, effects, reporter, ahead: ahead.pointer,
        isFresh: isFresh.exchange(false, ordering: .relaxed))
      let retained =
        [crossfade, performance, racks, nextRacks, turn, presets, events, reporter, ahead] + (effects?.retained ?? [])
      return Kernel(kernel, retaining: retained, entry: RackKernel.entry)
    }
  }
}

/// `RackNode.channelCount`, the channels of a port, for the audio thread, where a class may not be accessed.
package var midiChannelCount: Int {
  @_noLocks get { 16 }
}
