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
  private let playbacks: Handoff<Playback>.Receiver
  private let dueTime: UnsafeMutablePointer<PlaybackSender.DueTime>
  private let payloads: SysExPool.End
  /// The payload of the last live event; it has been played when the next event is asked for.
  private var playedPayload: UnsafePointer<UInt8>?
  private var playback: Unmanaged<Playback>?
  private var song: SongReader
  /// The number of the last event, in the log of notes; 0 for one that has none there.
  private(set) var eventNumber: UInt32 = 0

  /// - Parameter input: must outlive the reader. [control thread]
  public init(_ input: EventInput) {
    self.input = .passUnretained(input)
    live = input.live.consumer
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
    song.note(sliceHostTime: hostTime, at: sampleTime)
    let isDue = dueTime.pointee.frame.load(ordering: .relaxed) < sampleTime &+ Int64(renderQuantum)
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
  /// - Parameter drums: the channels that play drums, a bit each; the song's notes there are not transposed.
  @_noLocks
  public mutating func next(before time: Int64, drums: UInt16) -> MIDIEvent? {
    if let payload = playedPayload {
      payloads.giveBack(payload)
      playedPayload = nil
    }
    dropStale()
    let scheduled = song.next(before: time, drums: drums)
    let played = live.peek()
    if let scheduled, scheduled.time <= played?.time ?? .max {
      eventNumber = song.eventNumber
      song.advance()
      return scheduled
    }
    guard let played, played.time < time else { return nil }
    eventNumber = 0
    playedPayload = played.payloadStart
    return live.pop()
  }

  /// Where what becomes of the song's notes is written; nil if nothing is.
  var notes: NoteMemory? {
    @_noLocks get { song.notes }
  }

  /// Tells of a song that ends before a time, the end of the quantum.
  @_noLocks
  public mutating func finish(at time: Int64) { song.finish(at: time) }

  /// Drops the live events that were sent before the input was reset.
  @_noLocks
  private mutating func dropStale() {
    let staleCount = input._withUnsafeGuaranteedRef { $0.staleCount.load(ordering: .acquiring) }
    while live.popCount < staleCount, let event = live.pop() {
      if let payload = event.payloadStart { payloads.giveBack(payload) }
    }
  }
}
