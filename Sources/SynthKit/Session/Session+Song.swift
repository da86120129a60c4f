import SynthAudioFiles
import SynthInstruments
import SynthMIDI

// The transport of songs. Times are the song's: seconds at the tempo of its file, whatever the tempo it is played at.

extension Session {
  private var input: EventInput { synthesizer.instruments.events }

  /// How long the present song is, in seconds, without its tail; nil without a song. [control thread]
  public var duration: Double? { input.timeline.map { Double($0.duration) / $0.sampleRate } }

  /// Goes on with the present song elsewhere, within 10 ms; what sounds is faded in 256 frames first. A song that is
  /// paused goes on there. [control thread]
  ///
  /// Channels have then been told what the song tells them before that place. Notes that begin before it are not
  /// played. The place is rounded down by less than a quantum of 64 frames.
  ///
  /// - Parameters:
  ///   - seconds: from 0 to `duration`.
  ///   - countsIn: whether `countIn` bars are counted before it goes on.
  /// - Throws: without a song, or beyond its end.
  public func seek(to seconds: Double, countsIn: Bool = false) throws(SongError) {
    guard let timeline = input.timeline, let duration else { throw .noSong }
    try SongError.check(place: seconds, duration: duration)
    (timeline.song.sound as? FileSound)?.prepare(at: seconds)
    input.seek(to: timeline.frame(at: seconds), countsIn: countsIn)
  }

  /// Goes forwards or, by negative seconds, backwards; no further than to the start or the end. [control thread]
  ///
  /// - Throws: without a song.
  public func skip(by seconds: Double) throws(SongError) {
    guard let duration else { throw .noSong }
    try seek(to: min(max(position + seconds, 0), duration))
  }

  /// How fast songs are played: 1 is the tempo of the file, 0.25 to 4. [any thread]
  public var tempo: Double {
    get { input.tempo }
    set { input.tempo = newValue }
  }

  /// How many semitones higher songs are played, −24 to 24; drums stay. What sounds is not changed, and notes beyond
  /// the 128 keys are left out. [any thread]
  public var transposition: Int {
    get { input.transposition }
    set { input.transposition = newValue }
  }

  /// Clicks on the beats of what is played, a `Sequencer`'s sequences too, or at its own tempo where nothing is.
  public var metronome: MetronomeNode { synthesizer.metronome }

  /// How many bars the metronome counts before songs that are played or queued from now on, 0 to 16. Meanwhile
  /// `position` is the place where the song begins. [any thread]
  public var countIn: Int {
    get { input.countIn }
    set { input.countIn = newValue }
  }

  /// The channels on which songs are played where these are not their own. [control thread]
  public var routes: SongRoutes { input.routes }

  /// Plays songs on other channels from now on, as `EventInput.routes` says, with the presets that they need there.
  /// [control thread]
  ///
  /// - Throws: if presets cannot be loaded; the routes are then as they were.
  public func setRoutes(_ routes: SongRoutes) throws(InstrumentError) {
    for song in input.songs { try synthesizer.instruments.load(song.routed(by: routes)) }
    // Strips and buses are there as soon as the instruments are, so that nothing is refused.
    try? synthesizer.connectPorts()
    input.routes = routes
  }

  /// The passage of the present song that is repeated; nil for none. [control thread]
  public var loop: SongLoop? {
    guard let timeline = input.timeline, let loop = input.loop else { return nil }
    return SongLoop(
      Double(loop.start) / timeline.sampleRate, Double(loop.end) / timeline.sampleRate, passCount: loop.passCount)
  }

  /// Repeats a passage of the present song from now on; nil ends the repetition, and the song goes on. [control thread]
  ///
  /// At its end, what the song holds is released, and channels are told again what they were told at its start, System
  /// Exclusive messages apart. A song that is beyond the passage goes to its start.
  ///
  /// - Throws: without a song, or for a passage that it has not.
  public func setLoop(_ loop: SongLoop?) throws(SongError) {
    guard let timeline = input.timeline, let duration else { throw .noSong }
    if let loop {
      try SongError.check(loop, duration: duration)
      (timeline.song.sound as? FileSound)?.prepare(at: loop.start)
    }
    input.repeatPassage(loop?.frames(of: timeline))
    if let loop, position >= loop.end { try seek(to: loop.start) }
  }

  /// Lets the song stand still while sources play on: what it holds is released, and its pedals are given back when it
  /// goes on. `pause` halts everything. [any thread]
  public var isSongHeld: Bool {
    get { input.isSongHeld }
    set { input.isSongHeld = newValue }
  }
}

// What a person calls pause.

extension Session {
  /// Whether the song stands still: because it is held, everything is paused, or it waits for a device. [any thread]
  public var isSongPaused: Bool { isPaused || isSongHeld || interruptions.isHolding }

  /// Halts the song: where sources play along it is held, else everything is paused, which keeps what sounds for later.
  /// Without effect if it stands still already. [control thread]
  ///
  /// - Throws: as `pause`.
  public func pauseSong() throws {
    if interruptions.pause() { return }
    if hasSources { isSongHeld = true } else if !isPaused { try pause() }
  }

  /// Goes on after `pauseSong` or an interruption, without a device as soon as there is one. Without effect if the song
  /// does not stand still. [control thread]
  ///
  /// - Throws: as `start`.
  public func resumeSong() throws {
    isSongHeld = false
    if isPaused { try start() } else { interruptions.resume() }
  }
}

/// A passage that is repeated, in seconds.
public struct SongLoop: Hashable, Sendable {
  /// The first moment that is repeated.
  public var start: Double
  /// Where it goes back.
  public var end: Double
  /// How many times the passage is played in all; nil for endlessly.
  public var passCount: Int?

  public init(_ start: Double, _ end: Double, passCount: Int? = nil) {
    self.start = start
    self.end = end
    self.passCount = passCount
  }

  /// What a song asks to have repeated, by the first of its `loopPoints`; without any, all of it. [any thread]
  public init(of song: Song, passCount: Int? = nil) {
    let points = song.loopPoints.first { $0.end.seconds - $0.start.seconds >= SongError.shortest }
    self.init(points?.start.seconds ?? 0, points?.end.seconds ?? song.duration, passCount: passCount)
  }

  func frames(of timeline: Timeline) -> TimelineLoop {
    TimelineLoop(start: timeline.frame(at: start), end: timeline.frame(at: end), passCount: passCount)
  }
}

/// Why a song is not played as it was asked for.
public enum SongError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Nothing is played that has a time.
  case noSong
  /// Another song is queued.
  case alreadyQueued
  /// A track that the present song has not, counted from 0.
  case noSuchTrack(Int, count: Int)
  /// Channels or tracks of an audio file.
  case noParts
  /// A metronome for an audio file.
  case noBars
  /// A place in seconds that the song has not.
  case noSuchPlace(Double, duration: Double)
  /// A passage in seconds that is shorter than 50 ms, or ends before it begins.
  case tooShort(Double, Double)
  /// The song is to begin where its loop ends, or behind it.
  case beyondLoop(Double, end: Double)

  /// In seconds: a loop this short would be a tone.
  static let shortest = 0.05

  static func check(place seconds: Double, duration: Double) throws(SongError) {
    // A song may be longer than its timeline, by half a frame.
    guard seconds >= 0, seconds <= duration + 1e-4 else { throw .noSuchPlace(seconds, duration: duration) }
  }

  static func check(_ loop: SongLoop, duration: Double) throws(SongError) {
    try check(place: loop.start, duration: duration)
    try check(place: loop.end, duration: duration)
    guard loop.end - loop.start >= shortest else { throw .tooShort(loop.start, loop.end) }
  }

  public var description: String {
    switch self {
    case .noSong: "no song is played"
    case .alreadyQueued: "another song is queued; wait until it has begun"
    case .noSuchTrack(let track, let count):
      "track \(track &+ 1) is not in the song, which has \(count == 1 ? "one" : "\(count)")"
    case .noParts: "an audio file is played, which has neither channels nor tracks"
    case .noBars: "an audio file is played, which has no bars"
    case .noSuchPlace(let place, let duration):
      "\(SongTime(place)) is not in the song, which ends at \(SongTime(duration))"
    case .tooShort(let start, let end):
      "from \(SongTime(start)) to \(SongTime(end)) is less than 0.05 s; give a later end"
    case .beyondLoop(let start, let end):
      "the start, \(SongTime(start)), is not before the loop's end, \(SongTime(end))"
    }
  }
}

extension Song {
  /// Finds out whether a part of it can be played, as `Session.play` does. [any thread]
  public func check(from start: Double, to end: Double?, loop: SongLoop?) throws(SongError) {
    try SongError.check(place: start, duration: duration)
    // At its end there is nothing left to play.
    guard start == 0 || start < duration else { throw .noSuchPlace(start, duration: duration) }
    if let end {
      try SongError.check(place: end, duration: duration)
      guard end - start >= SongError.shortest else { throw .tooShort(start, end) }
    }
    guard let loop else { return }
    try SongError.check(loop, duration: end ?? duration)
    guard start < loop.end else { throw .beyondLoop(start, end: loop.end) }
  }
}
