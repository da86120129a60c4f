import AudioGraph

/// Plays audio files, or segments of them, at sample times of the engine, one after the other without gaps. For one
/// file whose place, rate, pitch, gain and loop change while it plays, there is `SoundPlayerNode`.
///
/// Files of another rate or channel count are converted (mono goes to every channel, the mean into mono, else each
/// channel to the one with its number). All players of a process share one thread, which reads for the one
/// that would run out first; rendering by hand reads itself, so that no frame is missing there. A file is open only
/// while it is read, so any number of segments can be scheduled.
///
///     let player = try FilePlayerNode(format: .stereo(48000))
///     try player.schedule(AudioFileSegment("intro.wav"))
///     try player.schedule(AudioFileSegment("loop.flac", start: 44100, frameCount: 88200)) { end in print(end) }
///     player.play()
public final class FilePlayerNode: AudioNode {
  public let name: String
  public let inputBusCount = 0
  public let outputBusCount = 1
  public let isStreaming = true
  /// The format of the output, which does not depend on the files.
  public let format: AudioFormat
  private let feed: FilePlayerFeed
  private let slot = KernelSlot<Double>()

  /// - Parameters:
  ///   - format: its channels are clamped to 1 to 256.
  ///   - bufferDuration: how far ahead files are read, in seconds; limited to half a gigabyte.
  /// - Throws: `AudioFileError.noThread`.
  public init(
    name: String = "file player", format: AudioFormat, bufferDuration: Double = 1
  ) throws(AudioFileError) {
    self.name = name
    let channelCount = min(max(1, format.channelCount), 256)
    self.format = AudioFormat(sampleRate: format.sampleRate, channelCount: channelCount)
    // NaN becomes 0; the ring has a minimum size.
    let frameCapacity = Int(min(max(0, bufferDuration * format.sampleRate), 0x1p27 / Double(channelCount)))
    feed = FilePlayerFeed(format: self.format, frameCapacity: frameCapacity)
    try ReadingThread.shared.add(feed)
  }

  deinit {
    feed.desk.stop()
    ReadingThread.shared.remove(feed)
  }

  public var properties: [Property] {
    [
      Property(Self.sampleRate, of: self) { [format] in .number(format.sampleRate) },
      Property(Self.channelCount, of: self) { [format] in .integer(format.channelCount) },
    ]
  }

  static let sampleRate = CreationProperty("sample rate", kind: .number(1...768_000, unit: .hertz))
  static let channelCount = CreationProperty("channel count", kind: .integer(1...256))

  /// Appends a segment to the schedule. [any thread]
  ///
  /// - Parameters:
  ///   - time: the frame of the engine at which its first frame is heard before any effects, to the nearest frame of
  ///     the player where that has another rate: what the converter behind it delays is allowed for. If that has
  ///     passed, or something still plays then, and where it is nil, the segment begins as soon as the one before it
  ///     has ended.
  ///   - whenEnded: called once, on the thread that all players share for it, or on the one that stops the player or
  ///     renders by hand. It may block, which delays what other players tell, and no sound.
  /// - Throws: `AudioFileError` for a file that cannot be played, or that has no such frames. It is opened for that
  ///   and closed, and opened again shortly before it is played; what is wrong then is told to `whenEnded`.
  public func schedule(
    _ segment: AudioFileSegment, at time: Int64? = nil,
    whenEnded: (@Sendable (PlaybackEnd<AudioFileError>) -> Void)? = nil
  ) throws(AudioFileError) {
    try feed.schedule(segment, at: time, whenEnded)
    ReadingThread.shared.wake()
  }

  /// Begins or continues to play the schedule. [any thread]
  public func play() { feed.desk.cell.pointee.isPlaying.store(true, ordering: .releasing) }

  /// Pauses after the next quantum, in which the sound fades out. [any thread]
  public func pause() { feed.desk.cell.pointee.isPlaying.store(false, ordering: .releasing) }

  /// Clears the schedule; the present segment fades out in the next quantum. [any thread]
  public func stop() {
    pause()
    feed.desk.stop()
  }

  /// Stops without a fade. [control thread]
  public func reset() {
    pause()
    feed.desk.stop(isCut: true)
  }

  /// Whether it plays the schedule, rather than waits for `play`. [any thread]
  public var isPlaying: Bool { feed.desk.cell.pointee.isPlaying.load(ordering: .relaxed) }

  /// How many frames could not be read in time since the player was made. Silence is inserted for them; nothing is left
  /// out. [any thread]
  public var missingFrameCount: Int { feed.desk.cell.pointee.missingFrames.load(ordering: .relaxed) }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] { [format] }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: formats.unitSampleRate) {
      let time = BusTime(sampleRate: formats.sampleRate, engineRate: formats.unitSampleRate)
      return feed.desk.kernel(channelCount: format.channelCount, time)
    }
  }

  public func prepareToRender(frameCount: Int) { feed.fill() }
}

extension Component {
  /// The node kinds of this module.
  public static var audioFiles: [Component] { [filePlayer, soundPlayer, convolver] }

  private static let filePlayer = Component(
    .generator, "afpl", name: "file player", summary: "plays audio files at sample times, without gaps between them",
    creation: [FilePlayerNode.sampleRate, FilePlayerNode.channelCount]
  ) { values in
    let format = AudioFormat(
      sampleRate: values[FilePlayerNode.sampleRate]?.number ?? 48000,
      channelCount: values[FilePlayerNode.channelCount]?.integer ?? 2)
    return try FilePlayerNode(format: format)
  }
}
