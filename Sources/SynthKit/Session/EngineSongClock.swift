import SynthInstruments

/// A song's clock, which counts the frames of the instruments, in frames of the engine. The synthesizer must outlive
/// it. [audio thread]
struct EngineSongClock: BitwiseCopyable {
  private let clock: Unmanaged<SongClock>
  private let framesPerInstrumentFrame: Int64

  init(_ synthesizer: Synthesizer) {
    clock = .passUnretained(synthesizer.instruments.events.clock)
    framesPerInstrumentFrame = Int64(synthesizer.framesPerInstrumentFrame)
  }

  /// The frame of the song's timeline that sounds at a frame of the engine.
  @_noLocks
  func songFrame(at frame: Int) -> Double {
    let frame = Double(frame) / Double(framesPerInstrumentFrame)
    return clock._withUnsafeGuaranteedRef { $0.songFrame(at: frame) }
  }

  /// Whether a song is the one that is played.
  @_noLocks
  func isPlayed(_ number: Int) -> Bool { clock._withUnsafeGuaranteedRef { $0.song == number } }

  /// Lets the song begin that is queued after one.
  @_noLocks
  func beginNext(after number: Int) { clock._withUnsafeGuaranteedRef { $0.noteSilence(ofSong: number) } }

  /// The frame of the engine at which a song has ended; `Int64.max` while it has not.
  @_noLocks
  func end(ofSong number: Int) -> Int64 {
    let end = clock._withUnsafeGuaranteedRef { $0.end(ofSong: number) }
    return end == .max ? .max : end &* framesPerInstrumentFrame
  }
}
