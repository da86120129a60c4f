import Synchronization
import SynthMIDI

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
    return playbacks.play(timeline, from: start, countInBars: countIn, to: end, loop: loop, notes: notes)
  }

  /// Ends the song where it is, and forgets it and the one that is queued: what it holds is released, and notes that
  /// are played live sound on. [control thread]
  public func stop() { playbacks.stop() }

  /// Prepares a timeline that begins once the present song has died away, which its player says by
  /// `SongClock.noteSilence`. Seeks and loops of the present song do not change that; `play` and `reset` do. [control
  /// thread]
  ///
  /// - Parameters: as those of `play`.
  /// - Returns: the number of the song; nil without a present one, or if another is prepared already.
  public func queue(_ timeline: Timeline, from start: Int64 = 0, to end: Int64? = nil, loop: TimelineLoop? = nil)
    -> Int?
  { playbacks.queue(timeline, from: start, countInBars: countIn, to: end, loop: loop) }

  /// Whether a song is prepared and has not begun. [control thread]
  public var hasQueuedSong: Bool { playbacks.hasNext }

  /// Plays the present timeline from another place, as `play` would; its end and its loop stay. [control thread]
  ///
  /// - Parameter countsIn: whether `countIn` bars are counted before it goes on.
  /// - Returns: false without a song.
  @discardableResult
  public func seek(to frame: Int64, countsIn: Bool = false) -> Bool {
    playbacks.seek(to: frame, countInBars: countsIn ? countIn : 0)
  }

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

  /// What is played, on the channels on which it sounds; nil for nothing. It stays when it is over. [control thread]
  public var timeline: Timeline? { playbacks.present?.timeline }

  /// What is repeated; nil for nothing. [control thread]
  public var loop: TimelineLoop? { playbacks.present?.loop }

  /// How long the instruments are told what the present song tells them before its start, in frames, once nothing
  /// sounds; the song begins then. [control thread]
  public var chaseLength: Int64 { playbacks.chaseLength }

  /// Where the song will go on that has been sent and not begun; nil if there is none. [control thread]
  public var pendingStart: Int64? { playbacks.pendingStart }

  /// The channels on which songs are played where these are not their own. It stays so from song to song. [control
  /// thread]
  ///
  /// What plays changes within some slices of the output, also what is prepared: notes that sound on a channel that is
  /// left end, and channels are told what they would have been told there before. System Exclusive messages and what is
  /// played live stay where they are.
  public var routes: SongRoutes {
    get { playbacks.routes }
    set { playbacks.setRoutes(newValue) }
  }

  /// What is played, and what is prepared, as they are without routes. [control thread]
  public var songs: [Song] { playbacks.sources.map(\.song) }

  /// How fast songs are played: 1 is the tempo of the file, 0.25 to 4, to which it is clamped; NaN is ignored. It
  /// changes with a quantum. [any thread]
  public var tempo: Double {
    get { Double(bitPattern: tempoBits.load(ordering: .relaxed)) }
    set { if !newValue.isNaN { tempoBits.store(Self.tempo(newValue).bitPattern, ordering: .relaxed) } }
  }

  /// How fast songs can be played.
  public static let tempoRange = 0.25...4.0

  /// The tempo nearest to a wish.
  static func tempo(_ wish: Double) -> Double {
    wish > tempoRange.lowerBound ? min(wish, tempoRange.upperBound) : tempoRange.lowerBound
  }

  /// How many semitones higher songs are played, −24 to 24, drums excepted. It holds for notes that begin from now on;
  /// notes beyond the keys 0 to 127 are left out. [any thread]
  public var transposition: Int {
    get { transpositionValue.load(ordering: .relaxed) }
    set { transpositionValue.store(min(max(newValue, -24), 24), ordering: .relaxed) }
  }

  /// How many bars are counted before a song that is played or queued from now on, 0 to 16. They have the signature and
  /// the tempo of the place where it begins; to a place within a bar they lead by the beats of that bar. A metronome
  /// clicks them, also if it is off. [any thread]
  public var countIn: Int {
    get { countInValue.load(ordering: .relaxed) }
    set { countInValue.store(min(max(newValue, 0), Self.mostCountInBars), ordering: .relaxed) }
  }

  /// How many bars can be counted in.
  public static let mostCountInBars = 16

  /// Whether the song stands still while live events are played: what it holds is released, and its pedals are given
  /// back when it goes on. A new song and a reset end it. [any thread]
  public var isSongHeld: Bool {
    get { isHeldValue.load(ordering: .relaxed) }
    set { isHeldValue.store(newValue, ordering: .relaxed) }
  }
}

/// A passage of a timeline that is repeated, in frames.
public struct TimelineLoop: Hashable, Sendable {
  /// The first frame that is repeated.
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
