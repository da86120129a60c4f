import MIDI
import Realtime
import Synchronization

// The song's transport. Frames are the song's: those of its timeline at the tempo of the file.

extension EventInput {
  /// Plays a timeline in place of the present one. What sounds is faded in 256 frames first. [control thread]
  ///
  /// - Parameters:
  ///   - start: where it begins, rounded down to a whole quantum from the song's start. The channels have then been
  ///     told all that the song tells them before.
  ///   - end: where it ends, and what it holds there is released; nil for its own end.
  ///   - loop: what is repeated.
  ///   - notes: takes what becomes of the notes; a log of this timeline.
  /// - Returns: the song's number.
  @discardableResult
  public func play(
    _ timeline: Timeline, from start: Int64 = 0, to end: Int64? = nil, loop: TimelineLoop? = nil,
    notes: NoteLog? = nil
  ) -> Int {
    defer { isHeldValue.store(false, ordering: .relaxed) }
    return playbacks.play(timeline, from: start, to: end, loop: loop, notes: notes)
  }

  /// Prepares a timeline that begins once the present song has died away, which its player says by
  /// `SongClock.noteSilence`. Seeks and loops of the present song do not change that; `play` and `reset` do. [control
  /// thread]
  ///
  /// - Parameters: as those of `play`.
  /// - Returns: the number of the song; nil without a present one, or if another is prepared already.
  public func queue(_ timeline: Timeline, from start: Int64 = 0, to end: Int64? = nil, loop: TimelineLoop? = nil)
    -> Int?
  { playbacks.queue(timeline, from: start, to: end, loop: loop) }

  /// Whether a song is prepared and has not begun. [control thread]
  public var hasQueuedSong: Bool { playbacks.hasNext }

  /// Plays the present timeline from another place, as `play` would; its end and its loop stay. [control thread]
  ///
  /// - Returns: false without a song.
  @discardableResult
  public func seek(to frame: Int64) -> Bool { playbacks.seek(to: frame) }

  /// Repeats another passage of the present timeline from now on; nil for none. A song that is beyond it goes to its
  /// start at once. [control thread]
  ///
  /// - Returns: false without a song.
  @discardableResult
  public func repeatPassage(_ loop: TimelineLoop?) -> Bool { playbacks.setLoop(loop) }

  /// Whether a song was ever played: engines may keep traces of it. [control thread]
  public var hasPlayed: Bool { songCount > 0 }

  /// The number of the song that was played or queued last; 0 before the first. [control thread]
  var songCount: Int { playbacks.songCount }

  /// What is played; nil for nothing. It stays when it is over. [control thread]
  public var timeline: Timeline? { playbacks.present?.timeline }

  /// What is repeated; nil for nothing. [control thread]
  public var loop: TimelineLoop? { playbacks.present?.loop }

  /// Where the song will go on that has been sent and not begun; nil if there is none. [control thread]
  public var pendingStart: Int64? { playbacks.pendingStart }

  /// How fast songs are played: 1 is the tempo of the file, 0.25 to 4. It changes with a quantum. [any thread]
  public var tempo: Double {
    get { Double(bitPattern: tempoBits.load(ordering: .relaxed)) }
    set { tempoBits.store(Self.tempo(newValue).bitPattern, ordering: .relaxed) }
  }

  /// How fast songs can be played.
  public static let tempoRange = 0.25...4.0

  /// The tempo nearest to a wish; the lowest where that is not a number.
  static func tempo(_ wish: Double) -> Double {
    wish > tempoRange.lowerBound ? min(wish, tempoRange.upperBound) : tempoRange.lowerBound
  }

  /// How many semitones higher songs are played, −24 to 24, drums excepted. It holds for notes that begin from now on;
  /// notes beyond the keys 0 to 127 are left out. [any thread]
  public var transposition: Int {
    get { transpositionValue.load(ordering: .relaxed) }
    set { transpositionValue.store(min(max(newValue, -24), 24), ordering: .relaxed) }
  }

  /// Whether the song stands still while live events are played: what it holds is released, and its pedals are given
  /// back when it goes on. A new song and a reset end it. [any thread]
  public var isSongHeld: Bool {
    get { isHeldValue.load(ordering: .relaxed) }
    set { isHeldValue.store(newValue, ordering: .relaxed) }
  }
}

/// A passage of a timeline that is repeated, in frames.
public struct TimelineLoop: Hashable, Sendable {
  public var start: Int64
  /// The first frame that is not played.
  public var end: Int64
  /// How many times the passage is played in all; nil for endlessly.
  public var passCount: Int?

  public init(start: Int64, end: Int64, passCount: Int? = nil) {
    self.start = start
    self.end = end
    self.passCount = passCount
  }
}

/// Makes playbacks and hands them to the audio thread. [control thread]
final class PlaybackSender: Sendable {
  struct Present: Sendable {
    let timeline: Timeline
    let number: Int
    let end: Int64?
    var loop: TimelineLoop?
    let notes: NoteLog?
    var transport = Playback.Transport()
  }

  private struct State: Sendable {
    let handoff = Handoff<Playback>()
    var present: Present?
    /// What began afresh last.
    var origin: Playback?
    /// What begins after the present song, or has begun and was not seen to.
    var next: (present: Present, playback: Playback)?
    /// Where what was sent last begins; nil if it goes on in place.
    var start: Int64?
    var number = 0
    /// Whether what was sent last leaves the number of passes as it is.
    var keepsPasses = true

    /// Sends the present song, to begin at a frame, or to go on where it is.
    mutating func send(from start: Int64?) {
      guard let present else { return }
      // What has not begun yet begins so still.
      let start = start ?? (handoff.withdraw() ? self.start : nil)
      self.start = start
      send(
        Playback(
          present.timeline, number: present.number, from: start, to: present.end, loop: present.loop,
          notes: present.notes, transport: present.transport, origin: start == nil ? origin : nil,
          then: next?.playback))
    }

    mutating func send(_ playback: Playback) {
      if playback.plan.isAfresh { origin = playback }
      handoff.send(playback)
    }

    /// Notices that the next song has begun. What was sent for the one before came too late then, or is on its way.
    mutating func follow(_ clock: SongClock) {
      guard let next, !handoff.isPending, clock.song == next.present.number else { return }
      (present, origin) = (next.present, next.playback)
      self.next = nil
    }
  }

  private let state = CheckedMutex(State())
  private let clock: SongClock
  /// The audio thread's end.
  let receiver: Handoff<Playback>.Receiver
  /// The frame of the instruments before which what was sent is not taken over.
  let dueTime = Box(DueTime())

  struct DueTime: ~Copyable {
    let frame = Atomic<Int64>(.min)
  }

  private func setDueTime(_ frame: Int64) { dueTime.pointer.pointee.frame.store(frame, ordering: .relaxed) }

  /// - Parameter clock: of the audio thread's end.
  init(_ clock: SongClock) {
    self.clock = clock
    receiver = state.withLock { $0.handoff.receiver }
  }

  func play(
    _ timeline: Timeline, from start: Int64, to end: Int64?, loop: TimelineLoop?, notes: NoteLog? = nil,
    transport: Playback.Transport = Playback.Transport()
  ) -> Int {
    state.withLock { state in
      state.number += 1
      state.present = Present(
        timeline: timeline, number: state.number, end: end, loop: loop, notes: notes, transport: transport)
      state.next = nil
      setDueTime(.min)
      state.send(from: start)
      return state.number
    }
  }

  func queue(_ timeline: Timeline, from start: Int64, to end: Int64?, loop: TimelineLoop?) -> Int? {
    state.withLock { state in
      state.follow(clock)
      guard state.present != nil, state.next == nil else { return nil }
      state.number += 1
      let playback = Playback(timeline, number: state.number, from: start, to: end, loop: loop)
      state.next = (Present(timeline: timeline, number: state.number, end: end, loop: loop, notes: nil), playback)
      state.send(from: nil)
      return state.number
    }
  }

  /// Lets the present song go on otherwise from a frame of the instruments on. One that has not begun yet begins so.
  ///
  /// - Parameters:
  ///   - start: where it begins if it has not begun.
  ///   - keepsPasses: whether the number of passes that are left stays.
  ///   - edit: what leads from the timeline that is played; is told whether the last change has not come about. Nil for
  ///     the same timeline.
  func change(
    to timeline: Timeline, loop: TimelineLoop?, transport: Playback.Transport, at time: Int64, start: Int64,
    keepsPasses: Bool, edit: (Bool) -> Playback.Edit?
  ) {
    state.withLock { state in
      state.follow(clock)
      guard var present = state.present else { return }
      let isWithdrawn = state.handoff.withdraw()
      let isAfresh = isWithdrawn && state.start != nil
      // What has not begun begins when it was to.
      let startTime = present.transport.startTime
      present = Present(
        timeline: timeline, number: present.number, end: present.end, loop: loop, notes: present.notes,
        transport: transport)
      present.transport.startTime = startTime
      state.present = present
      guard !isAfresh else { return state.send(from: start) }
      let edit = edit(isWithdrawn)
      state.start = nil
      state.keepsPasses = keepsPasses && (state.keepsPasses || !isWithdrawn)
      setDueTime(time)
      state.send(
        Playback(
          timeline, number: present.number, from: nil, to: present.end, loop: loop, transport: present.transport,
          edit: edit, changeTime: time, keepsPasses: state.keepsPasses,
          origin: state.origin, then: state.next?.playback))
    }
  }

  func seek(to frame: Int64) -> Bool {
    state.withLock { state in
      state.follow(clock)
      state.present?.transport.startTime = .min
      setDueTime(.min)
      state.send(from: frame)
      return state.present != nil
    }
  }

  func setLoop(_ loop: TimelineLoop?) -> Bool {
    state.withLock { state in
      state.follow(clock)
      state.present?.loop = loop
      setDueTime(.min)
      state.send(from: nil)
      return state.present != nil
    }
  }

  /// How many songs were ever played.
  var songCount: Int { state.withLock { $0.number } }

  var present: Present? {
    state.withLock { state in
      state.follow(clock)
      return state.present
    }
  }

  var hasNext: Bool {
    state.withLock { state in
      state.follow(clock)
      return state.next != nil
    }
  }

  var pendingStart: Int64? { state.withLock { $0.handoff.isPending ? $0.start : nil } }

  /// Whether what was sent has not been taken over yet.
  var isPending: Bool { state.withLock { $0.handoff.isPending } }

  /// Takes back what has not begun, and forgets the songs.
  func forget() {
    state.withLock { state in
      state.handoff.withdraw()
      (state.present, state.origin, state.next) = (nil, nil, nil)
    }
  }
}
