import AudioGraph
import SynthInstruments
import SynthMIDI

// Songs: one in place of the present one, or queued after it.

extension Session {
  /// Plays a song in place of the present one; what sources deliver is played along. Starts the session if it does not
  /// play. [control thread]
  ///
  /// - Parameters:
  ///   - start: where it begins, in seconds. What channels are told before is told to them at once.
  ///   - end: where it ends, in seconds; nil for its own end.
  ///   - loop: what is repeated.
  ///   - tail: when the song is over.
  ///   - next: what follows then.
  /// - Throws: as `start`, `SongError` for places that the song has not, or `InstrumentError` if presets cannot be
  ///   loaded.
  public func play(
    _ song: Song, from start: Double = 0, to end: Double? = nil, loop: SongLoop? = nil, tail: Tail = .standard,
    then next: SongEnd = .stop
  ) throws {
    let timeline = Timeline(song, sampleRate: synthesizer.instruments.sampleRate)
    try song.check(from: start, to: end, loop: loop)
    try lifeCycle.withLock { isListening in
      let isRunning = isPlaying
      if !isRunning { try prepare() }
      try synthesizer.load(song)
      try synthesizer.prepare(song, at: start, loop?.start)
      let number = synthesizer.play(
        timeline, from: timeline.frame(at: start), to: end.map(timeline.frame(at:)), loop: loop?.frames(of: timeline))
      flow.play(followed(number, tail.of(song), next), isRunning: isRunning)
      guard !isRunning else { return interruptions.resume() }
      do {
        try run(&isListening)
      } catch {
        synthesizer.instruments.events.reset()
        throw error
      }
    }
  }

  /// Prepares a song that begins when the present one has died away: as its tail is over, with the next slice that the
  /// output asks for. The present song may be sought and looped meanwhile; `play` and `stop` forget the one queued.
  /// [control thread]
  ///
  /// `isSongQueued` tells when it has begun. A song that ends before the next one is queued ends as `play` was told.
  ///
  /// - Parameters: as those of `play`.
  /// - Throws: `SongError` without a present song, if another is queued already or for places that the song has not, or
  ///   `InstrumentError` if presets cannot be loaded.
  public func queue(
    _ song: Song, from start: Double = 0, to end: Double? = nil, loop: SongLoop? = nil, tail: Tail = .standard,
    then next: SongEnd = .stop
  ) throws {
    try song.check(from: start, to: end, loop: loop)
    let timeline = Timeline(song, sampleRate: synthesizer.instruments.sampleRate)
    try synthesizer.load(song)
    try lifeCycle.withLock { _ in
      try synthesizer.prepare(song, at: start, loop?.start)
      let events = synthesizer.instruments.events
      guard events.timeline != nil else { throw SongError.noSong }
      let number = events.queue(
        timeline, from: timeline.frame(at: start), to: end.map(timeline.frame(at:)), loop: loop?.frames(of: timeline))
      guard let number else { throw SongError.alreadyQueued }
      var queued = followed(number, tail.of(song), next)
      queued.isQueued = true
      flow.queue(queued)
    }
  }

  /// Whether a song is queued and has not begun. [control thread]
  public var isSongQueued: Bool { synthesizer.instruments.events.hasQueuedSong }

  private func followed(_ number: Int, _ tail: Tail, _ next: SongEnd) -> SessionSong {
    SessionSong(
      detector: TailDetector(tail, songEnd: .max, sampleRate: engine.sampleRate), number: number,
      latency: Int64(synthesizer.latency), stops: next == .stop)
  }
}

/// What follows when a song is over.
public enum SongEnd: Sendable {
  /// The output plays what it has, and the session stops playing by itself.
  case stop
  /// The session plays on: what sources deliver, and the next song.
  case playOn
}
