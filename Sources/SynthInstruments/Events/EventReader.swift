import AudioGraph
import SynthMIDI
import SynthRealtime

/// The reading end of an event input: live events and the song's, merged by time. [audio thread]
///
/// A kernel has one, and at each quantum calls `adopt`; if that says so, ends what sounds and calls `begin`, perhaps
/// some quanta later; then asks for `next` until there is no more; and calls `finish`.
public struct EventReader: ~Copyable {
  private let input: Unmanaged<EventInput>
  private let live: RingBuffer<MIDIEvent>.Consumer
  /// What has come out of the ring and is not due.
  private let queue: UnsafeMutablePointer<EventQueue>
  private var staleCount = 0
  private var quantumStart: Int64 = .min
  private let playbacks: Handoff<Playback>.Receiver
  private let dueTime: UnsafeMutablePointer<PlaybackSender.DueTime>
  private let payloads: SysExPool.End
  private var playback: Unmanaged<Playback>?
  private var song: SongReader
  /// The number of the last event, in the log of notes; 0 for one that has none there.
  private(set) var eventNumber: UInt32 = 0

  /// - Parameter input: must outlive the reader. [control thread]
  public init(_ input: EventInput) {
    self.input = .passUnretained(input)
    live = input.live.consumer
    queue = input.queue.pointer
    playbacks = input.playbacks.receiver
    dueTime = input.playbacks.dueTime.pointer
    payloads = input.payloads.end
    song = SongReader(input.clock, input.tracks, input.clicks, input.passages)
  }

  deinit { playback?.release() }

  /// Takes over a new playback and the controls, as a quantum begins.
  ///
  /// - Parameter hostTime: of the slice that is asked for; 0 offline.
  /// - Returns: whether a playback waits for `begin`. No event comes before.
  @_noLocks
  public mutating func adopt(at sampleTime: Int64, hostTime: UInt64 = 0) -> Bool {
    quantumStart = sampleTime
    let quantumEnd = sampleTime &+ Int64(renderQuantum)
    song.note(sliceHostTime: hostTime, at: sampleTime)
    // In this order: when it is due was written before it was sent.
    let isDue = playbacks.isWaiting && dueTime.pointee.frame.load(ordering: .relaxed) < quantumEnd
    if isDue, playbacks.adopt(&playback), let playback {
      song.take(playback._withUnsafeGuaranteedRef { $0.plan }, at: sampleTime)
    }
    if song.isSilent, let playback {
      // The playback keeps the next one alive.
      let next = playback._withUnsafeGuaranteedRef { $0.nextPlan }
      if next.number > 0 { song.take(next, at: sampleTime) }
    }
    let (tempo, transposition, isHeld) = input._withUnsafeGuaranteedRef {
      (
        $0.tempoBits.load(ordering: .relaxed), $0.transpositionValue.load(ordering: .relaxed),
        $0.isHeldValue.load(ordering: .relaxed)
      )
    }
    song.follow(tempo: Double(bitPattern: tempo), transposition: transposition, isHeld: isHeld, at: sampleTime)
    return song.isWaiting
  }

  /// The number of the song that plays or waits; 0 for none.
  var songNumber: Int {
    @_noLocks get { song.number }
  }

  /// Begins the playback that waits, with this quantum.
  @_noLocks
  public mutating func begin(at sampleTime: Int64) { song.begin(at: sampleTime) }

  /// The earliest event due before a time. At the same time the song's comes first.
  ///
  /// - Parameter drums: the channels that play drums; the song's notes there are not transposed.
  @_noLocks
  public mutating func next(before time: Int64, drums: ChannelSet) -> MIDIEvent? {
    if let payload = queue.pointee.playedPayload {
      payloads.giveBack(payload)
      queue.pointee.playedPayload = nil
    }
    takeLive()
    let scheduled = song.next(before: time, drums: drums)
    let played = queue.pointee.first
    if let scheduled, scheduled.time <= played?.time ?? .max {
      eventNumber = song.eventNumber
      song.advance()
      return scheduled
    }
    guard let played, played.time < time else { return nil }
    eventNumber = 0
    queue.pointee.playedPayload = played.payloadStart
    queue.pointee.removeFirst()
    noteDone(1)
    return played
  }

  /// After `next` has given nil: no event is due before this time that is known of now; `Int64.min` where that is not
  /// known.
  var earliestDue: Int64 {
    @_noLocks get { min(song.earliestDue, queue.pointee.first?.time ?? .max) }
  }

  /// Where what becomes of the song's notes is written; nil if nothing is.
  var notes: NoteMemory? {
    @_noLocks get { song.notes }
  }

  /// Tells of a song that ends before a time, the end of the quantum.
  @_noLocks
  public mutating func finish(at time: Int64) { song.finish(at: time) }

  /// Takes over what was sent, and drops what was sent before the input was reset.
  @_noLocks
  private mutating func takeLive() {
    let staleCount = input._withUnsafeGuaranteedRef { $0.staleCount.load(ordering: .acquiring) }
    var order = live.popCount
    while let event = live.pop() {
      queue.pointee.insert(event, order: order, noEarlierThan: quantumStart)
      order &+= 1
    }
    guard staleCount != self.staleCount else { return }
    self.staleCount = staleCount
    var dropped = 0
    let payloads = payloads
    queue.pointee.removeAll(sentBefore: staleCount) { event in
      if let payload = event.payloadStart { payloads.giveBack(payload) }
      dropped &+= 1
    }
    noteDone(dropped)
  }

  /// Makes room for other live events.
  @_noLocks
  private func noteDone(_ count: Int) {
    input._withUnsafeGuaranteedRef { _ = $0.doneCount.wrappingAdd(count, ordering: .releasing) }
  }
}
