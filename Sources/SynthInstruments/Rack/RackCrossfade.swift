import AudioGraph
import Synchronization
import SynthMIDI
import SynthRealtime

/// The engines that play, and those of before an exchange, which finish the notes they began; all follow one
/// performance. [audio thread]
///
/// One rack can ring out beside the one that plays. When another exchange comes meanwhile, it is faded first, in 256
/// frames, and the new rack waits for that.
struct RackCrossfade: ~Copyable {
  private static var fadeLength: Int32 {
    @_noLocks get { 256 }
  }

  private let racks: Handoff<LoadedRack>.Receiver
  private let nextRacks: Handoff<LoadedRack>.Receiver
  private let turn: UnsafeMutablePointer<SongTurn>
  private let presets: PresetReporter
  private let performance: UnsafeMutablePointer<Performance>
  private var present: Unmanaged<LoadedRack>?
  private var ringing: Unmanaged<LoadedRack>?
  /// How much of the fade of what rings out is left, in frames; nil where it rings freely.
  private var fade: Int32?
  /// The same for all that sounds; nil where it does not fade.
  private var lastFade: Int32?
  private var isSilent = true
  private var equalizer: PartEqualizer
  private var master: MasterLevel

  /// - Parameters:
  ///   - next: brings what plays from a song on, the one after `turn`; both must outlive this.
  ///   - sampleRate: in hertz.
  init(
    _ racks: Handoff<LoadedRack>, next: Handoff<LoadedRack>, _ turn: UnsafeMutablePointer<SongTurn>,
    _ presets: PresetReporter, sampleRate: Double
  ) {
    equalizer = PartEqualizer(sampleRate: sampleRate)
    master = MasterLevel(sampleRate: sampleRate)
    self.racks = racks.receiver
    nextRacks = next.receiver
    self.turn = turn
    self.presets = presets
    performance = .allocate(capacity: 1)
    performance.initialize(to: Performance())
  }

  deinit {
    present?.release()
    ringing?.release()
    performance.deinitialize(count: 1)
    performance.deallocate()
  }

  /// Lets the rack that was sent last play from this quantum on, with all that channels were told before.
  @_noLocks
  mutating func adopt() {
    if ringing != nil {
      if fade == nil, racks.isWaiting { fade = Self.fadeLength }
      return
    }
    var new: Unmanaged<LoadedRack>?
    guard racks.adopt(&new), let new else { return }
    play(new)
  }

  @_noLocks
  private mutating func play(_ new: Unmanaged<LoadedRack>) {
    if let present { engines(new).takeOver(UnsafePointer(performance), from: engines(present)) }
    ringing = present
    fade = nil
    present = new
  }

  /// Whether nothing sounds. What sounds is faded in 256 frames, with the next quantum on.
  @_noLocks
  mutating func fallSilent() -> Bool {
    if !isSilent, lastFade == nil { lastFade = Self.fadeLength }
    return isSilent || lastFade == 0
  }

  /// Ends all sound, and returns channels to their initial state.
  ///
  /// - Parameters:
  ///   - isComplete: whether the next sound is to be the same, bit for bit, as that of a new rack.
  ///   - song: the number of the song that begins; 0 for none.
  @_noLocks
  mutating func reset(isComplete: Bool, song: Int) {
    // A rack that was sent is to play from now on.
    retireRinging()
    adopt()
    adoptNext(song)
    performance.pointee.reset()
    equalizer.reset()
    master.reset()
    // What was faded must not come back.
    let reset = EngineReset(UnsafePointer(performance), isComplete: isComplete || lastFade != nil)
    lastFade = nil
    if let ringing { engines(ringing).reset(reset) }
    if let present { engines(present).reset(reset) }
  }

  /// Lets the rack of the song that begins play from now on, if one was sent. Nothing sounds.
  @_noLocks
  private mutating func adoptNext(_ song: Int) {
    // In this order: after whose song it begins was written before it was sent.
    guard nextRacks.isWaiting, song > turn.pointee.song.load(ordering: .relaxed) else { return }
    retireRinging()
    var new: Unmanaged<LoadedRack>?
    if ringing == nil, nextRacks.adopt(&new), let new { play(new) }
  }

  /// What parts receive of a message, for `next`; the equalizers and the level of all of them follow it here.
  @_noLocks
  mutating func delivery(of message: MIDIMessage, _ systemExclusive: SystemExclusive) -> PartDelivery {
    equalizer.follow(systemExclusive)
    master.follow(systemExclusive)
    return PartDelivery(message, systemExclusive, to: performance.pointee)
  }

  /// The next message to be played of a delivery.
  @_noLocks
  func next(_ delivery: inout PartDelivery) -> PartDelivery.Message? { delivery.next(performance.pointee) }

  /// Plays a message.
  ///
  /// - Parameters:
  ///   - frame: from the start of the next quantum.
  ///   - number: the event's in the log of notes; 0 for none.
  @_noLocks
  mutating func play(
    _ message: MIDIMessage, _ systemExclusive: SystemExclusive, at frame: Int64, _ number: UInt32,
    _ notes: NoteMemory?
  ) {
    let event = EngineEvent(message, systemExclusive, frame: frame, number: number, followedBy: performance)
    if let ringing { engines(ringing).playOut(event) }
    guard let present else { return }
    engines(present).play(event)
    guard number > 0, message.kind == .noteOn, let trace = notes?.trace(of: number) else { return }
    trace.pointee.key = message.note
    engines(present).notePreset(ofChannel: Int(message.channel), in: trace)
  }

  /// Adds a quantum to silent buses, and reports on it.
  ///
  /// - Parameter calmLength: so many quanta, from this one on, are rendered before the next event.
  @_noLocks
  mutating func render(_ context: RenderContext, _ notes: NoteMemory?, calmLength: Int) -> EngineQuantum {
    var quantum = EngineQuantum(context, UnsafePointer(performance), notes, calmLength: calmLength)
    if let ringing {
      engines(ringing).render(&quantum)
      if let left = fade { fade = fade(context, from: left) }
      if quantum.isSilent || fade == 0 { retireRinging() }
    }
    quantum.hasNewPresets = false
    if let present {
      engines(present).render(&quantum)
      engines(present).report(presets)
    }
    equalizer.apply(to: context)
    master.apply(to: context)
    if let left = lastFade { lastFade = fade(context, from: left) }
    isSilent = quantum.isSilent
    return quantum
  }

  /// Tuning messages that were ignored.
  var refusedTuningCount: Int {
    @_noLocks get { performance.pointee.tuning.refusedCount }
  }

  /// Sends home what rings no more, unless there is no room on the way.
  @_noLocks
  private mutating func retireRinging() {
    guard let rack = ringing else { return }
    if engines(rack).isForNextSong ? nextRacks.retire(rack) : racks.retire(rack) { ringing = nil }
  }

  /// - Returns: how much of the fade is left.
  @_noLocks
  private func fade(_ context: RenderContext, from left: Int32) -> Int32 {
    let step = 1 / Float(Self.fadeLength)
    for channel in 0..<context.outputBusCount where !context.output(channel).isSilent {
      let bus = context.output(channel)
      var gain = Float(left) * step
      for frame in 0..<renderQuantum {
        gain -= step
        let factor = max(gain, 0)
        bus[0][frame] *= factor
        bus[1][frame] *= factor
      }
    }
    return max(left &- Int32(renderQuantum), 0)
  }

  /// The channels that play drums, a bit each.
  var drumChannels: UInt16 {
    @_noLocks get { performance.pointee.drumChannels }
  }

  @_noLocks
  private func engines(_ rack: Unmanaged<LoadedRack>) -> RackEngines { rack._withUnsafeGuaranteedRef { $0.engines } }
}

/// The last song before the one with which another rack plays; 0 before the first.
struct SongTurn: ~Copyable {
  let song = Atomic(0)
}
