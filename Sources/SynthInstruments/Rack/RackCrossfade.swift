import AudioGraph
import Synchronization
import SynthMIDI
import SynthRealtime

/// The engines that play, and those of before an exchange, which finish the notes they began; all of a port follow one
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
  /// Of each port what it was told, and what that does to its buses. The first port is there from the beginning.
  ///
  /// ThreadSanitizer takes a change by a subscript or a member of these for one of all that is here, but not one by a
  /// copy of the pointer.
  private let performances: UnsafeMutablePointer<UnsafeMutablePointer<Performance>>
  private let shapings: UnsafeMutablePointer<BusShaping>
  private let corrections: UnsafeMutablePointer<SendCorrections>
  private(set) var portCount = 1
  private var present: Unmanaged<LoadedRack>?
  private var ringing: Unmanaged<LoadedRack>?
  /// How much of the fade of what rings out is left, in frames; nil where it rings freely.
  private var fade: Int32?
  /// The same for all that sounds; nil where it does not fade.
  private var lastFade: Int32?
  private var isSilent = true

  /// - Parameters:
  ///   - performance: of the first port.
  ///   - next: brings what plays from a song on, the one after `turn`; both must outlive this.
  ///   - sampleRate: in hertz.
  init(
    _ racks: Handoff<LoadedRack>, next: Handoff<LoadedRack>, _ turn: UnsafeMutablePointer<SongTurn>,
    _ presets: PresetReporter, _ performance: UnsafeMutablePointer<Performance>, sampleRate: Double
  ) {
    shapings = .allocate(capacity: MIDIPorts.count)
    for port in 0..<MIDIPorts.count { (shapings + port).initialize(to: BusShaping(sampleRate: sampleRate)) }
    performances = .allocate(capacity: MIDIPorts.count)
    performances.initialize(repeating: performance, count: MIDIPorts.count)
    corrections = .allocate(capacity: 1)
    corrections.initialize(to: SendCorrections())
    self.racks = racks.receiver
    nextRacks = next.receiver
    self.turn = turn
    self.presets = presets
  }

  deinit {
    present?.release()
    ringing?.release()
    performances.deallocate()
    shapings.deinitialize(count: MIDIPorts.count)
    shapings.deallocate()
    corrections.pointee.deallocate()
    corrections.deallocate()
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
    let ports = ports(new)
    while portCount < ports.count {
      performances[portCount] = ports.performance(portCount)
      portCount &+= 1
    }
    if let present {
      let old = self.ports(present)
      for port in 0..<ports.count {
        ports[port].takeOver(UnsafePointer(performances[port]), from: port < old.count ? old[port] : nil)
      }
    }
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
    for port in 0..<portCount {
      performances[port].pointee.reset()
      (shapings + port).pointee.reset()
      // What was faded must not come back.
      let reset = EngineReset(UnsafePointer(performances[port]), isComplete: isComplete || lastFade != nil)
      if let ringing, port < ports(ringing).count { ports(ringing)[port].reset(reset) }
      if let present { ports(present)[port].reset(reset) }
    }
    lastFade = nil
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

  /// The port that plays a message: the first one where the rack lacks that of its group.
  @_noLocks
  func port(of message: MIDIMessage) -> Int {
    let port = message.channelIndex / 16
    return port < portCount ? port : 0
  }

  /// What parts receive of a message, for `next`; what shapes the buses of all of them follows it here.
  @_noLocks
  func delivery(of message: MIDIMessage, _ systemExclusive: SystemExclusive, port: Int) -> PartDelivery {
    (shapings + port).pointee.follow(systemExclusive)
    return PartDelivery(message, systemExclusive, to: performances[port].pointee)
  }

  /// The next message to be played of a delivery.
  @_noLocks
  func next(_ delivery: inout PartDelivery, port: Int) -> PartDelivery.Message? {
    delivery.next(performances[port].pointee)
  }

  /// Plays a message, which is in the group of a port.
  ///
  /// - Parameters:
  ///   - frame: from the start of the next quantum.
  ///   - number: the event's in the log of notes; 0 for none.
  @_noLocks
  mutating func play(
    _ message: MIDIMessage, _ systemExclusive: SystemExclusive, at frame: Int64, _ number: UInt32,
    _ notes: NoteMemory?
  ) {
    let port = message.channelIndex / 16
    if let parameter = performances[port].pointee.assignable(setBy: message) {
      (shapings + port).pointee.follow(assignable: parameter, UInt8(message.value32 >> 25), on: message.channel)
    }
    let event = EngineEvent(message, systemExclusive, frame: frame, number: number, followedBy: performances[port])
    if let ringing, port < ports(ringing).count { ports(ringing)[port].playOut(event) }
    guard let present else { return }
    ports(present)[port].play(event)
    guard number > 0, message.kind == .noteOn, let trace = notes?.trace(of: number) else { return }
    trace.pointee.key = message.note
    ports(present)[port].notePreset(ofChannel: Int(message.channel), in: trace)
  }

  /// Adds a quantum to silent buses, and reports on it.
  ///
  /// - Parameters:
  ///   - calmLength: so many quanta, from this one on, are rendered before the next event.
  ///   - isAhead: whether the graph will have this quantum after others were rendered.
  @_noLocks
  mutating func render(
    _ context: RenderContext, _ notes: NoteMemory?, calmLength: Int, isAhead: Bool
  ) -> EngineQuantum {
    let corrections = corrections
    corrections.pointee.begin(isAhead: isAhead)
    var quantum = EngineQuantum(
      context, UnsafePointer(performances[0]), notes, calmLength: calmLength, corrections)
    if let ringing {
      render(ports(ringing), &quantum, context)
      if let left = fade { fade = fade(context, from: left) }
      if quantum.isSilent || fade == 0 { retireRinging() }
    }
    if let present {
      render(ports(present), &quantum, context)
      for port in 0..<ports(present).count { ports(present)[port].report(presets, port: port) }
    }
    for port in 0..<Self.busPorts(portCount, context) {
      (shapings + port).pointee.apply(to: Self.buses(of: port, context), corrections)
    }
    if let left = lastFade { lastFade = fade(context, from: left) }
    isSilent = quantum.isSilent
    return quantum
  }

  /// Adds a quantum of each port to its buses, where the graph has these already.
  @_noLocks
  private func render(_ ports: RackPorts, _ quantum: inout EngineQuantum, _ context: RenderContext) {
    for port in 0..<Self.busPorts(ports.count, context) {
      quantum.context = Self.buses(of: port, context)
      quantum.performance = UnsafePointer(performances[port])
      ports[port].render(&quantum)
    }
  }

  /// How many of so many ports have buses.
  @_noLocks
  private static func busPorts(_ count: Int, _ context: RenderContext) -> Int {
    min(count, context.outputBusCount / midiChannelCount)
  }

  @_noLocks
  private static func buses(of port: Int, _ context: RenderContext) -> RenderContext {
    context.outputs(from: midiChannelCount &* port, count: midiChannelCount)
  }

  /// Tuning messages that were ignored.
  var refusedTuningCount: Int {
    @_noLocks get {
      var count = 0
      for port in 0..<portCount { count &+= performances[port].pointee.tuning.refusedCount }
      return count
    }
  }

  /// Sends home what rings no more, unless there is no room on the way.
  @_noLocks
  private mutating func retireRinging() {
    guard let rack = ringing else { return }
    if ports(rack).isForNextSong ? nextRacks.retire(rack) : racks.retire(rack) { ringing = nil }
  }

  /// - Returns: how much of the fade is left.
  @_noLocks
  private func fade(_ context: RenderContext, from left: Int32) -> Int32 {
    for channel in 0..<context.outputBusCount where !context.output(channel).isSilent {
      let bus = context.output(channel)
      Self.fade(bus[0], rowCount: 2, from: left)
      if let corrections = bus.sendCorrections {
        Self.fade(corrections, rowCount: Bus.correctionRowCount, from: left)
      }
    }
    return max(left &- Int32(renderQuantum), 0)
  }

  /// Fades rows that lie one after the other.
  @_noLocks
  private static func fade(_ rows: UnsafeMutablePointer<Float>, rowCount: Int, from left: Int32) {
    let step = 1 / Float(fadeLength)
    var gain = Float(left) * step
    for frame in 0..<renderQuantum {
      gain -= step
      let factor = max(gain, 0)
      for row in 0..<rowCount { rows[row &* renderQuantum &+ frame] *= factor }
    }
  }

  /// The channels of all ports that play drums.
  var drumChannels: ChannelSet {
    @_noLocks get {
      var channels = ChannelSet()
      for port in 0..<portCount {
        channels = channels.union(ChannelSet(performances[port].pointee.drumChannels, onPort: port))
      }
      return channels
    }
  }

  @_noLocks
  private func ports(_ rack: Unmanaged<LoadedRack>) -> RackPorts { rack._withUnsafeGuaranteedRef { $0.ports } }
}

/// The last song before the one with which another rack plays; 0 before the first.
struct SongTurn: ~Copyable {
  let song = Atomic(0)
}
