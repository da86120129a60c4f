import AudioGraph
import SynthMIDI
import SynthRealtime

/// The engines of a port in memory that the rack owns. [audio thread]
struct RackEngines {
  private struct Entry {
    let state: UnsafeMutableRawPointer
    let entry: RenderFunction
    let type: ObjectIdentifier
    /// The address of `entry`: instruments of one type may be played by one of several engines.
    let engine: UInt
    let receivesAllNotes: Bool
    let places: InstrumentPlaces
    /// The channels its instruments play, a bit each.
    let channels: UInt16
  }

  private struct Memory {
    var count = 0
    var hasNewPresets = true
  }

  private let memory: UnsafeMutablePointer<Memory>
  private let engines: UnsafeMutablePointer<Entry>
  private let serial: UInt32
  private let gain: Float

  init(capacity: Int, serial: UInt32, gain: Float) {
    engines = .allocate(capacity: capacity)
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory())
    self.serial = serial
    self.gain = gain
  }

  func free() {
    for index in 0..<memory.pointee.count { engines[index].places.free() }
    engines.deinitialize(count: memory.pointee.count)
    engines.deallocate()
    memory.deallocate()
  }

  func append(_ engine: LoadedEngine, type: ObjectIdentifier, _ places: InstrumentPlaces) {
    (engines + memory.pointee.count).initialize(
      to: Entry(
        state: engine.state, entry: engine.entry, type: type, engine: unsafeBitCast(engine.entry, to: UInt.self),
        receivesAllNotes: engine.receivesAllNotes,
        places: places, channels: places.channels))
    memory.pointee.count += 1
  }

  @_noLocks
  private func perform(_ function: EngineCall, on index: Int) {
    var function = function
    call(engines[index].entry, engines[index].state, &function)
  }

  /// Plays an event on the engines of its channel and key; all but notes reach every engine.
  @_noLocks
  func play(_ event: EngineEvent) {
    if case .reset(let message) = event.systemExclusive {
      return reset(EngineReset(event.performance, isComplete: false, message: message))
    }
    var event = event
    for index in 0..<memory.pointee.count where receives(index, event) {
      event.places = engines[index].places
      withUnsafePointer(to: event) { perform(.play($0), on: index) }
    }
  }

  @_noLocks
  private func receives(_ index: Int, _ event: EngineEvent) -> Bool {
    switch event.message.kind {
    case .noteOn, .noteOff, .polyPressure:
      let master = event.performance.pointee.zones.master(of: event.message.channel)
      return engines[index].receivesAllNotes || engines[index].places.contain(event.message.note, master)
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
      event.action = .noteOff
    case .programChange: return
    default: break
    }
    play(event)
  }

  /// Adds a quantum to the buses, one a channel.
  @_noLocks
  func render(_ quantum: inout EngineQuantum) {
    quantum.gain = gain
    quantum.hasNewPresets = false
    for index in 0..<memory.pointee.count {
      withUnsafeMutablePointer(to: &quantum) { perform(.render($0), on: index) }
    }
    if quantum.hasNewPresets { memory.pointee.hasNewPresets = true }
  }

  @_noLocks
  func reset(_ reset: EngineReset) {
    for index in 0..<memory.pointee.count {
      withUnsafePointer(to: reset) { perform(.reset($0), on: index) }
    }
  }

  /// Makes everything that channels were told, notes apart, the same as in the engines that played before.
  ///
  /// - Parameter old: nil for a port that there was not.
  @_noLocks
  func takeOver(_ performance: UnsafePointer<Performance>, from old: RackEngines?) {
    for index in 0..<memory.pointee.count {
      let handover = EngineHandover(performance, from: old?.state(of: engines[index]))
      withUnsafePointer(to: handover) { perform(.takeOver($0), on: index) }
    }
  }

  @_noLocks
  private func state(of other: Entry) -> UnsafeMutableRawPointer? {
    for index in 0..<memory.pointee.count
    where engines[index].type == other.type && engines[index].engine == other.engine { return engines[index].state }
    return nil
  }

  /// Reports which presets the channels have, where one may have got another. Of several engines that play a channel,
  /// the first one's is told.
  @_noLocks
  func report(_ presets: PresetReporter, port: Int) {
    guard memory.pointee.hasNewPresets else { return }
    memory.pointee.hasNewPresets = false
    for channel in 0..<midiChannelCount {
      let (code, engine) = preset(ofChannel: channel)
      presets.report(code, of: engine, ofChannel: 16 &* port &+ channel, serial: serial)
    }
  }

  /// Notes which preset a channel has.
  @_noLocks
  func notePreset(ofChannel channel: Int, in trace: UnsafeMutablePointer<NoteTrace>) {
    (trace.pointee.preset, trace.pointee.engine) = preset(ofChannel: channel)
    trace.pointee.rack = serial
  }

  /// The code of a channel's preset, 0 for none, and the engine that has it.
  @_noLocks
  private func preset(ofChannel channel: Int) -> (code: UInt32, engine: Int) {
    var (answer, found) = (EnginePreset(ofChannel: channel), 0)
    let bit: UInt16 = 1 &<< UInt16(truncatingIfNeeded: channel)
    for index in 0..<memory.pointee.count where answer.code == 0 && engines[index].channels & bit != 0 {
      withUnsafeMutablePointer(to: &answer) { perform(.preset($0), on: index) }
      found = index
    }
    return (answer.code, found)
  }
}
