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

  /// What is played; nil for nothing. It stays when it is over. [control thread]
  public var timeline: Timeline? { playbacks.present?.timeline }

  /// What is repeated; nil for nothing. [control thread]
  public var loop: TimelineLoop? { playbacks.present?.loop }

  /// Where the song will go on that has been sent and not begun; nil if there is none. [control thread]
  public var pendingStart: Int64? { playbacks.pendingStart }

  /// How fast songs are played: 1 is the tempo of the file, 0.25 to 4. It changes with a quantum. [any thread]
  public var tempo: Double {
    get { Double(bitPattern: tempoBits.load(ordering: .relaxed)) }
    set { tempoBits.store(min(max(newValue, 0.25), 4).bitPattern, ordering: .relaxed) }
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
  }

  private struct State: Sendable {
    let handoff = Handoff<Playback>()
    var present: Present?
    /// What was sent of it last.
    var sent: Playback?
    /// What begins after the present song, or has begun and was not seen to.
    var next: (present: Present, playback: Playback)?
    /// Where what was sent last begins; nil if it goes on in place.
    var start: Int64?
    var number = 0

    /// Sends the present song, to begin at a frame, or to go on where it is.
    mutating func send(from start: Int64?) {
      guard let present else { return }
      // What has not begun yet begins so still.
      let start = start ?? (handoff.withdraw() ? self.start : nil)
      self.start = start
      let playback = Playback(
        present.timeline, number: present.number, from: start, after: sent, to: present.end, loop: present.loop,
        notes: present.notes, then: next?.playback)
      sent = playback
      handoff.send(playback)
    }

    /// Notices that the next song has begun. What was sent for the one before came too late then, or is on its way.
    mutating func follow(_ clock: SongClock) {
      guard let next, !handoff.isPending, clock.song == next.present.number else { return }
      (present, sent) = (next.present, next.playback)
      self.next = nil
    }
  }

  private let state = CheckedMutex(State())
  private let clock: SongClock
  /// The audio thread's end.
  let receiver: Handoff<Playback>.Receiver

  /// - Parameter clock: of the audio thread's end.
  init(_ clock: SongClock) {
    self.clock = clock
    receiver = state.withLock { $0.handoff.receiver }
  }

  func play(
    _ timeline: Timeline, from start: Int64, to end: Int64?, loop: TimelineLoop?, notes: NoteLog?
  ) -> Int {
    state.withLock { state in
      state.number += 1
      state.present = Present(timeline: timeline, number: state.number, end: end, loop: loop, notes: notes)
      state.next = nil
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

  func seek(to frame: Int64) -> Bool {
    state.withLock { state in
      state.follow(clock)
      state.send(from: frame)
      return state.present != nil
    }
  }

  func setLoop(_ loop: TimelineLoop?) -> Bool {
    state.withLock { state in
      state.follow(clock)
      state.present?.loop = loop
      state.send(from: nil)
      return state.present != nil
    }
  }

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

  /// Takes back what has not begun, and forgets the songs.
  func forget() {
    state.withLock { state in
      state.handoff.withdraw()
      (state.present, state.sent, state.next) = (nil, nil, nil)
    }
  }
}
