import AudioFiles
import AudioGraph
import Glibc
import Instruments
import MIDI
import Realtime

/// Records what a session plays, a file at a time: the sound of all in an audio file, or what sources play in a MIDI
/// file; and saves afterwards what a `MIDITake` has kept. [control thread]
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
    public let path: String
    /// How long it is, in seconds.
    public let duration: Double
    /// How long the disk was too slow, in seconds; it is silence in the file.
    public var missing = 0.0
  }

  private enum Target {
    case audio(FileRecorder)
    /// A MIDI file, from a host time on; when it was written last.
    case midi(start: UInt64, written: UInt64)
  }

  private let session: Session
  private let take: MIDITake?
  private var present: (path: String, target: Target)?

  /// How often a MIDI file is written meanwhile, in nanoseconds.
  private static let interval: UInt64 = 5_000_000_000

  /// - Parameter take: that hears the session's sources; nil where there are none.
  public init(_ session: Session, take: MIDITake? = nil) {
    self.session = session
    self.take = take
  }

  /// What is being recorded; nil for nothing.
  public var recording: Recorded? {
    present.map { path, target in
      switch target {
      case .audio(let file): recorded(path, file)
      case .midi(let start, _): Recorded(path: path, duration: Double(HostClock.now - start) / 1e9)
      }
    }
  }

  /// Begins to record.
  ///
  /// - Parameter path: its extension chooses: `.mid` for what sources play, or one of `AudioFileContainer` for the
  ///   sound before the output's channel map, in stereo, with 24 bits.
  /// - Throws: if something is recorded already, or the file cannot be created.
  public func start(_ path: String) throws(RecordingError) {
    if let present { throw .alreadyRecording(present.path) }
    guard Self.isMIDI(path) || AudioFileContainer(path: path) != nil else { throw .noFile(path) }
    if Self.isMIDI(path) {
      guard let take else { throw .noKeyboards(path) }
      let start = HostClock.now
      try refuseExisting(path)
      try write(path, MusicSequence())
      take.hold(from: start)
      present = (path, .midi(start: start, written: start))
    } else {
      present = (path, .audio(try audio(path)))
    }
  }

  private func audio(_ path: String) throws(RecordingError) -> FileRecorder {
    let synthesizer = session.synthesizer
    let last: any AudioNode = synthesizer.limiter ?? synthesizer.equalizer
    let recorder: FileRecorder
    do throws(AudioFileError) {
      recorder = try FileRecorder(path: path, format: .stereo(synthesizer.instruments.sampleRate))
    } catch {
      throw .file(error)
    }
    do {
      try synthesizer.engine.edit { graph in try graph.tap(last, with: recorder.node) }
    } catch {
      throw .graph(path, reason: "\(error)")
    }
    recorder.start()
    return recorder
  }

  /// To be called now and then: writes what sources have played.
  ///
  /// - Throws: when the file can no longer be written; nothing is recorded then, and the file has what came before.
  public func turn() throws(RecordingError) {
    switch present?.target {
    case .audio(let file) where file.failure != nil: _ = try stop()
    case .midi(let start, let written) where HostClock.now - written >= Self.interval:
      guard let path = present?.path else { return }
      present?.target = .midi(start: start, written: HostClock.now)
      do throws(RecordingError) {
        try write(path, from: start)
      } catch {
        forget()
        throw error
      }
    default: break
    }
  }

  /// Ends the recording. Without one it does nothing, and returns nil.
  @discardableResult
  public func stop() throws(RecordingError) -> Recorded? {
    guard let (path, target) = present else { return nil }
    let recorded = recording
    forget()
    switch target {
    case .midi(let start, _): try write(path, from: start)
    case .audio(let file):
      try? session.synthesizer.engine.edit { graph in try graph.detach(file.node) }
      do throws(AudioFileError) {
        try file.finish()
      } catch {
        throw .file(error)
      }
      return self.recorded(path, file)
    }
    return recorded
  }

  /// Writes what the take has kept into a MIDI file.
  public func save(_ path: String) throws(RecordingError) -> Recorded {
    guard Self.isMIDI(path) else { throw .noMIDIFile(path) }
    guard let take else { throw .noKeyboards(path) }
    let entries = take.entries()
    guard let first = entries.first, let last = entries.last else { throw .nothingPlayed }
    try refuseExisting(path)
    try write(path, MusicSequence(entries))
    return Recorded(path: path, duration: Double(last.hostTime - first.hostTime) / 1e9)
  }

  private func forget() {
    present = nil
    take?.hold(from: nil)
  }

  private func recorded(_ path: String, _ file: FileRecorder) -> Recorded {
    let rate = session.synthesizer.instruments.sampleRate
    return Recorded(
      path: path, duration: Double(file.frameCount) / rate, missing: Double(file.missingFrameCount) / rate)
  }

  private func refuseExisting(_ path: String) throws(RecordingError) {
    guard access(path, F_OK) != 0 else { throw .file(.cannotCreate(path: path, code: EEXIST)) }
  }

  private func write(_ path: String, from start: UInt64) throws(RecordingError) {
    try write(path, MusicSequence(take?.entries(from: start) ?? [], from: start))
  }

  private func write(_ path: String, _ sequence: MusicSequence) throws(RecordingError) {
    do {
      try sequence.write(to: path)
    } catch {
      throw .midi("\(error)")
    }
  }

  private static func isMIDI(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".mid") || name.hasSuffix(".midi")
  }
}

/// Why something is not recorded.
public enum RecordingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The path of what is being recorded.
  case alreadyRecording(String)
  /// What sources play was to be recorded into this file, and there are none.
  case noKeyboards(String)
  /// The name tells nothing that could be recorded.
  case noFile(String)
  /// What was played can be saved as MIDI file only.
  case noMIDIFile(String)
  /// There is nothing to save.
  case nothingPlayed
  case file(AudioFileError)
  /// The MIDI file cannot be written.
  case midi(String)
  /// The sound cannot be tapped for this file.
  case graph(String, reason: String)

  public var description: String {
    switch self {
    case .alreadyRecording(let path): "recording: \(path) is being recorded; stop it first"
    case .noKeyboards(let path): "writing \(path): no keyboards are joined, whose notes it would have"
    case .noFile(let path):
      "recording \(path.isEmpty ? "nowhere" : path): give a name that ends in \(AudioFileContainer.extensions); "
        + "for the notes alone in .mid"
    case .noMIDIFile(let path): "saving \(path): give a name that ends in .mid"
    case .nothingPlayed: "saving: nothing has been played yet"
    case .file(let error): "\(error)"
    case .midi(let problem): problem
    case .graph(let path, let reason): "recording \(path): \(reason)"
    }
  }
}
