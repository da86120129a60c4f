import AudioGraph

/// Records any bus into a file, between two sample times.
///
/// It is heard through a tap, so that a slow or full disk never holds up the audio: what the tap has to drop becomes
/// silence of the same length, so that the file stays on the sample clock, and is counted. Rendering by hand waits for
/// the disk, and loses nothing.
///
///     let recorder = try FileRecorder(path: "take.wav", format: .stereo(48000))
///     try engine.edit { graph in try graph.tap(mixer, with: recorder.node) }
///     recorder.start()
///     …
///     try recorder.finish()
public final class FileRecorder: Sendable {
  /// What is connected to the bus to be recorded.
  public let node: TapNode
  private let recording: Recording

  /// Creates the file, which gets its name in `finish`; see `AudioFileWriter`.
  ///
  /// - Parameters:
  ///   - format: the bus's; its rate a whole number.
  ///   - bufferDuration: how long the disk may take without a loss, in seconds.
  ///   - whenFailed: called once, on the recorder's thread, where the file can take no more.
  /// - Throws: `AudioFileError`, for a file that cannot be or cannot be created.
  public init(
    path: String, container: AudioFileContainer? = nil, samples: AudioFileSamples = .int24, format: AudioFormat,
    bufferDuration: Double = 2, whenFailed: (@Sendable (AudioFileError) -> Void)? = nil
  ) throws(AudioFileError) {
    // A rate that is none becomes 0, which no file has.
    let writer = try AudioFileWriter(
      path: path, container: container, samples: samples, rate: Int(exactly: format.sampleRate) ?? 0,
      channels: format.channelCount)
    let recording = Recording(writer, path: path, format: format, whenFailed: whenFailed)
    let capacity = Int(min(max(0, bufferDuration * format.sampleRate), 0x1p24))
    do throws(EngineError) {
      node = try TapNode(name: "recorder", capacity: capacity) { recording.take($0) }
    } catch {
      throw .noThread(reason: error.description)
    }
    self.recording = recording
  }

  /// Begins with the frame of a sample time, or with the next that comes; the last call before the first frame holds.
  /// [any thread]
  public func start(at time: Int64 = .min) { recording.start(at: time) }

  /// Ends before the frame of a sample time, or at once; a later `start` does not go on. [any thread]
  public func stop(at time: Int64 = .min) { recording.stop(at: time) }

  /// Writes what has come so far and gives the file its name; nothing is recorded after it. Without a frame recorded it
  /// is a file of none. [any thread]
  ///
  /// - Throws: what went wrong while it was written, or now. There is no file then.
  public func finish() throws(AudioFileError) {
    node.finish()
    try recording.finish()
  }

  /// Frames in the file so far, the missing ones among them. [any thread]
  public var frameCount: Int { recording.frameCount }

  /// Frames for which the disk was too slow; they are silence in the file. [any thread]
  public var missingFrameCount: Int { recording.missingFrameCount }

  /// What went wrong, if the file can take no more. [any thread]
  public var failure: AudioFileError? { recording.failure }
}
