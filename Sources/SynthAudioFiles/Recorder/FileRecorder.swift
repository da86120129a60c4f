import AudioGraph

/// Records any bus into a file, between two sample times of the engine.
///
/// The bus is recorded through a tap, so that a slow or full disk never delays the audio. Frames that the tap drops are
/// counted and become silence of the same length, so that the file stays on the sample clock. Manual rendering waits
/// for the disk and drops nothing.
///
///     let recorder = try FileRecorder(path: "take.wav", format: .stereo(48000))
///     try engine.edit { graph in try graph.tap(mixer, with: recorder.node) }
///     recorder.start()
///     …
///     try recorder.finish()
public final class FileRecorder: Sendable {
  /// The node to connect to the bus that is to be recorded.
  public let node: TapNode
  private let recording: Recording

  /// Creates the file; see `AudioFileNaming.atOnce`: nothing is overwritten, and what was recorded is never lost.
  ///
  /// - Parameters:
  ///   - format: the bus's; its rate a whole number.
  ///   - bufferDuration: how long the disk may stall without a loss, in seconds.
  ///   - whenFailed: called once, on the recorder's thread, when writing fails.
  /// - Throws: `AudioFileError`, if the format is impossible or the file cannot be created.
  public init(
    path: String, container: AudioFileContainer? = nil, samples: AudioFileSamples = .int24, format: AudioFormat,
    bufferDuration: Double = 2, whenFailed: (@Sendable (AudioFileError) -> Void)? = nil
  ) throws(AudioFileError) {
    guard let rate = Int(exactly: format.sampleRate) else {
      throw .unsupported(
        path: path,
        reason: "audio files have whole rates, and \(format.sampleRate) Hz is none — convert the bus to a whole rate")
    }
    let writer = try AudioFileWriter(
      path: path, container: container, samples: samples, sampleRate: rate, channelCount: format.channelCount,
      naming: .atOnce)
    let recording = Recording(writer, path: path, format: format, whenFailed: whenFailed)
    let capacity = Int(min(max(0, bufferDuration * format.sampleRate), 0x1p24))
    do throws(EngineError) {
      node = try TapNode(name: "recorder", capacity: capacity) { recording.take($0) }
    } catch {
      throw .noThread(reason: error.description)
    }
    recording.follow(node)
    self.recording = recording
  }

  /// Begins at a frame of the engine; without one, at `AudioEngine.sampleTime`, the first that the output has not got,
  /// or with the first frame at all where no engine has the node yet. The last call before that frame counts.
  /// [any thread]
  ///
  /// On a bus of another rate than the engine's, that is the frame that a converter would give then.
  public func start(at time: Int64? = nil) { recording.start(at: time) }

  /// Ends before a frame of the engine; without one, before `AudioEngine.sampleTime`. A later `start` has no effect.
  /// [any thread]
  public func stop(at time: Int64? = nil) { recording.stop(at: time) }

  /// Writes all frames so far and completes the file; nothing is recorded after that. [any thread]
  ///
  /// - Throws: the first error of writing, now or before. The file then has what was recorded before it.
  public func finish() throws(AudioFileError) {
    node.finish()
    try recording.finish()
  }

  /// Frames in the file so far, missing ones included. [any thread]
  public var frameCount: Int { recording.frameCount }

  /// Frames for which the disk was too slow; they are silence in the file. [any thread]
  public var missingFrameCount: Int { recording.missingFrameCount }

  /// The error, if writing has failed. [any thread]
  public var failure: AudioFileError? { recording.failure }
}
