import AudioGraph
import MIDI
import Realtime

/// All engines of a rack, loaded: an exchange replaces one of these by another. Made and freed on the control side;
/// between the two, the audio thread alone touches its engines.
final class LoadedRack: @unchecked Sendable {
  /// Counts from 1.
  let serial: UInt32
  let engines: RackEngines
  private let loaded: [LoadedEngine]

  /// Loads the engines that the assignments need. [control thread]
  ///
  /// - Parameters:
  ///   - askedPresets: presets that are loaded in any case.
  ///   - presetRequests: takes what channels ask for that is not loaded.
  init(
    _ configuration: RackConfiguration, serial: UInt32, askedPresets: Set<PresetRequest>,
    presetRequests: RingBuffer<PresetRequest>, sampleRate: Double
  ) throws(InstrumentError) {
    let routing = RackRouting(configuration.assignments)
    let engines = RackEngines(capacity: routing.engines.count, serial: serial)
    var loaded: [LoadedEngine] = []
    func load<Playable: Instrument>(_ type: Playable.Type) throws(InstrumentError) {
      let loading = EngineLoading<Playable>(
        parts: routing.parts(of: type), configuration: configuration, sampleRate: sampleRate,
        askedPresets: askedPresets, presetRequests: presetRequests)
      let engine = try type.load(loading)
      engines.append(engine, type: ObjectIdentifier(type), keys: loading.keys)
      loaded.append(engine)
    }
    do throws(InstrumentError) {
      for type in routing.engines { try load(type) }
    } catch {
      engines.free()
      throw error
    }
    self.serial = serial
    self.engines = engines
    self.loaded = loaded
  }

  deinit { engines.free() }

  /// A channel's preset by what the audio thread reported; nil for none. [any thread]
  func preset(ofChannel channel: Int, engine: Int, code: UInt32) -> ChannelPreset? {
    loaded.indices.contains(engine) ? loaded[engine].presetName(channel, code) : nil
  }
}

/// The engines of a loaded rack in memory that it owns. [audio thread]
struct RackEngines {
  private struct Entry {
    let state: UnsafeMutableRawPointer
    let entries: EngineEntries
    let type: ObjectIdentifier
    /// The channels its instruments play, a bit each.
    let channels: UInt16
    /// The notes it receives.
    let keys: ChannelKeys
  }

  private struct Memory {
    var count = 0
    var hasNewPresets = true
  }

  private let memory: UnsafeMutablePointer<Memory>
  private let engines: UnsafeMutablePointer<Entry>
  private let serial: UInt32

  fileprivate init(capacity: Int, serial: UInt32) {
    engines = .allocate(capacity: capacity)
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory())
    self.serial = serial
  }

  fileprivate func free() {
    engines.deinitialize(count: memory.pointee.count)
    engines.deallocate()
    memory.deallocate()
  }

  fileprivate func append(_ engine: LoadedEngine, type: ObjectIdentifier, keys: ChannelKeys) {
    (engines + memory.pointee.count).initialize(
      to: Entry(
        state: engine.state, entries: engine.entries, type: type, channels: keys.channels,
        keys: engine.receivesAllNotes ? .all : keys))
    memory.pointee.count += 1
  }

  /// Plays an event on the engines of its channel and key; all but notes reach every engine.
  @_noLocks
  func play(_ event: EngineEvent) {
    var event = event
    for index in 0..<memory.pointee.count where receives(index, event) {
      call(engines[index].entries.play, engines[index].state, &event)
    }
  }

  @_noLocks
  private func receives(_ index: Int, _ event: EngineEvent) -> Bool {
    switch event.message.kind {
    case .noteOn, .noteOff, .polyPressure:
      let master = event.performance.pointee.zones.master(of: event.message.channel)
      return engines[index].keys.contains(event.message.note, onChannel: master)
    default: return true
    }
  }

  /// Plays an event to what sounds already: a key that is struck again is let go, and no program changes.
  @_noLocks
  func playOut(_ event: EngineEvent) {
    var event = event
    switch event.message.kind {
    case .noteOn:
      let (channel, note) = (event.message.channel, event.message.note)
      event.message = .noteOff(channel: channel, note: note, velocity7: 0)
    case .programChange: return
    default: break
    }
    play(event)
  }

  /// Adds a quantum to the buses, one a channel.
  @_noLocks
  func render(_ quantum: inout EngineQuantum) {
    for index in 0..<memory.pointee.count { call(engines[index].entries.render, engines[index].state, &quantum) }
    if quantum.hasNewPresets { memory.pointee.hasNewPresets = true }
  }

  @_noLocks
  func reset(_ reset: EngineReset) {
    var reset = reset
    for index in 0..<memory.pointee.count { call(engines[index].entries.reset, engines[index].state, &reset) }
  }

  /// Makes everything that channels were told, notes apart, the same as in the engines that played before.
  @_noLocks
  func takeOver(_ performance: UnsafePointer<Performance>, from old: RackEngines) {
    for index in 0..<memory.pointee.count {
      var handover = EngineHandover(performance, from: old.state(of: engines[index].type))
      call(engines[index].entries.takeOver, engines[index].state, &handover)
    }
  }

  @_noLocks
  private func state(of type: ObjectIdentifier) -> UnsafeMutableRawPointer? {
    for index in 0..<memory.pointee.count where engines[index].type == type { return engines[index].state }
    return nil
  }

  /// Reports which presets the channels have, where one may have got another. Of several engines that play a channel,
  /// the first one's is told.
  @_noLocks
  func report(_ presets: PresetReporter) {
    guard memory.pointee.hasNewPresets else { return }
    memory.pointee.hasNewPresets = false
    for channel in 0..<midiChannelCount {
      var (answer, found) = (EnginePreset(ofChannel: channel), 0)
      let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
      for index in 0..<memory.pointee.count where answer.code == 0 && engines[index].channels & bit != 0 {
        call(engines[index].entries.preset, engines[index].state, &answer)
        found = index
      }
      presets.report(answer.code, of: found, ofChannel: channel, serial: serial)
    }
  }
}
