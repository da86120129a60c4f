import AudioGraph
import Glibc
import SynthAudioFiles
import SynthFiles
import SynthInstruments
import SynthMIDI
import SynthRealtime

/// Records what a session or a `PassThrough` plays, into any number of files at once: the sound of all in audio files,
/// what sources play in MIDI files; and saves afterwards, as notes or as sound, what a `MIDITake` has kept. [control
/// thread]
///
///     let recorder = SessionRecorder(session, take: take)
///     try recorder.start("take.flac")
///     …
///     try recorder.stop()
///
/// No file is overwritten. Whatever happens, what was recorded so far can be opened: audio as `FileRecorder` says, a
/// MIDI file as it was written last, every five seconds.
public final class SessionRecorder {
  /// A file that was recorded, or is being recorded.
  public struct Recorded: Sendable, Hashable {
    /// Where it is written.
    public let path: String
    /// How long it is, in seconds.
    public let duration: Double
    /// How long the disk was too slow, in seconds; it is silence in the file.
    public var missing = 0.0
    /// Whose sound it is; `main` is all that is heard, and what a MIDI file has.
    public var strip = Strip.main
  }

  /// A file into which what was played is rendered.
  public struct Saving: Sendable, Hashable {
    /// Where it is written.
    public let path: String
    /// From the first note to the last, in seconds.
    public let duration: Double
    /// How much is done, 0 to 1.
    public let part: Double
  }

  private enum Target {
    case audio(FileRecorder)
    /// A MIDI file, from a host time on; when it was written last.
    case midi(start: UInt64, written: UInt64)
  }

  private let engine: AudioEngine
  /// Whose sound is recorded, at this rate.
  private let last: any AudioNode
  private let sampleRate: Double
  private let session: Session?
  private let take: MIDITake?
  private var present: [(path: String, strip: Strip, target: Target)] = []
  private var rendering: TakeRendering?
  /// Files in it are for their owner alone.
  package var directory = RecordingDirectory.standard()

  /// How often a MIDI file is written meanwhile, in nanoseconds.
  private static let interval: UInt64 = 5_000_000_000

  /// - Parameter take: that hears the session's sources; nil where there are none.
  public init(_ session: Session, take: MIDITake? = nil) {
    let synthesizer = session.synthesizer
    engine = synthesizer.engine
    last = synthesizer.limiter ?? synthesizer.equalizer
    sampleRate = synthesizer.instruments.sampleRate
    self.session = session
    self.take = take
  }

  /// A recorder of what is heard of an input; it has no keyboards.
  public init(_ through: PassThrough) {
    engine = through.engine
    last = through.limiter ?? through.equalizer
    sampleRate = through.engine.sampleRate
    session = nil
    take = nil
  }

  deinit { rendering?.cancel() }

  /// What is being recorded, in the order it was begun.
  public var recordings: [Recorded] { present.map { recorded($0.path, $0.strip, $0.target) } }

  /// Begins to record into one more file.
  ///
  /// - Parameter path: its extension chooses: `.mid` for what sources play, or one of `AudioFileContainer` for the
  ///   sound before the output's channel map, in stereo, with 24 bits.
  /// - Throws: if the file cannot be created, or is there already.
  public func start(_ path: String) throws(RecordingError) { try start(path, from: .main) }

  /// Begins to record a part of the mix into one more file: a channel as it leaves its inserts, before its fader; a bus
  /// or the microphone behind its fader.
  ///
  /// - Parameters:
  ///   - path: one of `AudioFileContainer`; `.mid` for `main` alone.
  ///   - strip: `main` is all that is heard. The click is recorded by a bus that it leads to.
  /// - Throws: if the file cannot be created, or is there already, or there is no such strip.
  public func start(_ path: String, from strip: Strip) throws(RecordingError) {
    guard Self.canWrite(path) else { throw .noFile(path) }
    if Self.isMIDI(path) {
      guard strip == .main else { throw .notesOfStrip(path, strip) }
      guard let take else { throw .noKeyboards(path) }
      let start = HostClock.now
      try refuseExisting(path)
      try write(path, MusicSequence())
      present.append((path, strip, .midi(start: start, written: start)))
      hold(take)
    } else {
      present.append((path, strip, .audio(try audio(path, from: strip))))
    }
  }

  /// Begins to record into each of some files; where one cannot be created, into none, and leaves none behind.
  ///
  /// - Throws: why the first one that cannot be created cannot.
  public func start(_ paths: [String]) throws(RecordingError) {
    var begun: [String] = []
    for path in paths {
      do throws(RecordingError) {
        try start(path)
      } catch {
        for path in begun { discard(path) }
        throw error
      }
      begun.append(path)
    }
  }

  /// A pipe of that name was there before, and stays.
  private func discard(_ path: String) {
    _ = try? stop(path)
    var status = stat()
    if lstat(path.cPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG { unlink(path.cPath) }
  }

  private func audio(_ path: String, from strip: Strip) throws(RecordingError) -> FileRecorder {
    let source: (node: any AudioNode, bus: Int)? =
      strip == .main ? (last, 0) : session?.synthesizer.source(of: strip)
    guard let source else { throw .noStrip(path, strip) }
    let recorder: FileRecorder
    do throws(AudioFileError) {
      recorder = try FileRecorder(path: path, format: .stereo(sampleRate))
    } catch {
      throw .file(error)
    }
    directory.protect(path)
    do {
      try engine.edit { graph in try graph.tap(source.node, bus: source.bus, with: recorder.node) }
    } catch {
      throw .sound(path, reason: "\(error)")
    }
    recorder.start()
    return recorder
  }

  /// To be called now and then: writes what sources have played.
  ///
  /// - Throws: when a file can no longer be written; it is recorded no more, and has what came before. The others are.
  public func turn() throws(RecordingError) {
    for (index, (path, _, target)) in present.enumerated() {
      switch target {
      case .audio(let file) where file.failure != nil:
        try stop(path)
        return
      case .midi(let start, let written) where HostClock.now - written >= Self.interval:
        present[index].target = .midi(start: start, written: HostClock.now)
        do throws(RecordingError) {
          try write(path, from: start)
        } catch {
          present.remove(at: index)
          take.map(hold)
          throw error
        }
      default: break
      }
    }
  }

  /// Ends the recording of a file. Where it is not recorded it does nothing, and returns nil.
  @discardableResult
  public func stop(_ path: String) throws(RecordingError) -> Recorded? {
    guard let index = present.firstIndex(where: { $0.path == path }) else { return nil }
    let (_, strip, target) = present.remove(at: index)
    defer { take.map(hold) }
    let recorded = recorded(path, strip, target)
    switch target {
    case .midi(let start, _):
      try write(path, from: start)
      return recorded
    case .audio(let file):
      try? engine.edit { graph in try graph.detach(file.node) }
      do throws(AudioFileError) {
        try file.finish()
      } catch {
        throw .file(error)
      }
      // With what was on its way.
      return self.recorded(path, strip, target)
    }
  }

  /// Ends all recordings.
  ///
  /// - Throws: the first error, once all have ended.
  @discardableResult
  public func stop() throws(RecordingError) -> [Recorded] {
    let ended = present.map(\.path).map { path in Result { () throws(RecordingError) in try stop(path) } }
    var recorded: [Recorded] = []
    for result in ended { if let file = try result.get() { recorded.append(file) } }
    return recorded
  }

  /// Lets the take keep what the first of the MIDI files begins with.
  private func hold(_ take: MIDITake) {
    let starts = present.compactMap { if case .midi(let start, _) = $0.target { start } else { nil } }
    take.hold(from: starts.min())
  }

  private func recorded(_ path: String, _ strip: Strip, _ target: Target) -> Recorded {
    switch target {
    case .midi(let start, _): return Recorded(path: path, duration: Double(HostClock.now - start) / 1e9)
    case .audio(let file):
      return Recorded(
        path: path, duration: Double(file.frameCount) / sampleRate,
        missing: Double(file.missingFrameCount) / sampleRate, strip: strip)
    }
  }

  private func refuseExisting(_ path: String) throws(RecordingError) {
    guard access(path.cPath, F_OK) != 0 else { throw .file(.cannotCreate(path: path, code: EEXIST)) }
  }

  private func write(_ path: String, from start: UInt64) throws(RecordingError) {
    try write(path, MusicSequence(take?.entries(from: start) ?? [], tempo: tempo, from: start))
  }

  private func write(_ path: String, _ sequence: MusicSequence) throws(RecordingError) {
    do {
      try sequence.write(to: path)
    } catch {
      throw .midi("\(error)")
    }
    directory.protect(path)
  }

  /// What MIDI files say, in quarter notes per minute: of the song that is played along, else of the metronome.
  private var tempo: Double {
    guard let session else { return 120 }
    guard let timeline = session.synthesizer.instruments.events.timeline else {
      return Double(session.metronome.tempo.value)
    }
    return timeline.song.tempoMap.tempo(at: 0) * session.tempo
  }

  /// Whether a path's extension names a kind of file that can be recorded.
  static func canWrite(_ path: String) -> Bool { isMIDI(path) || AudioFileContainer(path: path) != nil }

  private static func isMIDI(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".mid") || name.hasSuffix(".midi")
  }
}

// MARK: - Afterwards

extension SessionRecorder {
  /// Writes what the take has kept into a MIDI file; or into an audio file, rendered again with the sound as it is now:
  /// soundfonts, instruments, faders, effects and preset. That takes its time, in the background: see `saving` and
  /// `takeSaved()`.
  ///
  /// - Returns: what was written; nil where that goes on.
  /// - Throws: if the file cannot be created or is there already, if nothing was played, or while another is rendered.
  public func save(_ path: String) throws(RecordingError) -> Recorded? {
    guard Self.canWrite(path) else { throw .noFile(path) }
    guard let session, let take else { throw .noKeyboards(path) }
    let entries = take.entries()
    guard let first = entries.first, let last = entries.last else { throw .nothingPlayed }
    if let rendering, !Self.isMIDI(path) { throw .alreadySaving(rendering.path) }
    try refuseExisting(path)
    if Self.isMIDI(path) {
      try write(path, MusicSequence(entries, tempo: tempo))
      return Recorded(path: path, duration: Double(last.hostTime - first.hostTime) / 1e9)
    }
    var song = Song(entries)
    // Its bank is played by keyboards too.
    song.container = session.synthesizer.instruments.events.timeline?.song.container
    rendering = try TakeRendering(song, as: SoundSnapshot(of: session.synthesizer), to: path)
    return nil
  }

  /// The file that is being rendered; nil for none.
  public var saving: Saving? {
    rendering.map { Saving(path: $0.path, duration: $0.songDuration, part: $0.part) }
  }

  /// The file that has been rendered since the last call; nil for none.
  ///
  /// - Throws: if it could not be rendered; there is no file then.
  public func takeSaved() throws(RecordingError) -> Recorded? {
    guard let rendering, let result = rendering.result else { return nil }
    self.rendering = nil
    directory.protect(rendering.path)
    return Recorded(path: rendering.path, duration: try result.get())
  }
}
