import AudioGraph
import SynthDSP
import SynthRealtime

/// Writes float samples into a file of any `AudioFileContainer`, or into a pipe.
///
/// Integers are rounded to nearest, with dither if that is asked for, and saturate at full scale; the same audio always
/// makes the same file. The file appears under its name when `finish` has succeeded, and a writer that is released
/// before leaves no file; `AudioFileNaming.atOnce` keeps whatever was written. Threads may share a writer:
/// what they write at the same time comes one after the other.
public final class AudioFileWriter: @unchecked Sendable {
  // Unchecked: what varies is used under the lock.

  /// The format of the file.
  public let format: AudioFileFormat
  /// What the file says about its audio.
  public let tags: [AudioFileTag: String]
  /// Frames written so far.
  public var frameCount: Int { lock.withLock { _ in written } }

  private let lock = CheckedMutex(())
  private var written = 0
  private let sink: FileSink
  /// How many frames a kept file tells that it has, while it is written.
  private var toldFrameCount = 0
  /// For what is encoded; other samples go straight into the sink.
  private var encoder: FileEncoder?
  private var isFinished = false
  private let staging: UnsafeMutableRawPointer
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private var dither: Dither?
  /// A chunk after dither.
  private let dithered: UnsafeMutablePointer<Float>

  /// Frames converted at a time: 1024 stereo floats are 8 KB and stay in the first-level cache.
  private static let chunk = 1024

  /// Creates the file; `-` is standard output. Without a container the path's extension decides, and a pipe, a device
  /// or standard output gets WAV. A WAV or FLAC that is not seekable has no length in its header.
  ///
  /// - Parameter isDithered: whether `Dither` rounds to integers; what has been rounded before needs none.
  public init(
    path: String, container: AudioFileContainer? = nil, samples: AudioFileSamples = .int16, sampleRate: Int,
    channelCount: Int,
    isDithered: Bool = false, tags: [AudioFileTag: String] = [:], naming: AudioFileNaming = .whenWhole
  ) throws(AudioFileError) {
    sink = try FileSink(path: path, naming: naming)
    let isNamed = sink.isReplacing || sink.isKeeping
    guard let container = container ?? AudioFileContainer(path: path) ?? (isNamed ? nil : .wav) else {
      throw .unsupported(path: path, reason: "unknown extension — use \(AudioFileContainer.extensions)")
    }
    format = AudioFileFormat(
      container: container, samples: container.isLossless ? samples : .float32, sampleRate: sampleRate,
      channelCount: channelCount)
    self.tags = tags
    if let tag = tags.inOrder.map(\.tag).first(where: { !container.tags.contains($0) }) {
      let lack = container.tags.isEmpty ? "tags — leave them out" : "tag \(tag) — leave it out"
      throw .unsupported(path: sink.path, reason: "\(container) has no \(lack)")
    }
    if let reason = format.refusal(seekable: sink.isSeekable) { throw .unsupported(path: sink.path, reason: reason) }
    encoder = [.wav, .raw].contains(container) ? nil : try FileEncoder(format, tags, sink)
    staging = .allocate(byteCount: Self.chunk * channelCount * 4, alignment: 64)
    cursors = .allocate(capacity: channelCount)
    dither = isDithered ? format.samples.bits.map { Dither(bits: $0, channelCount: channelCount) } : nil
    dithered = .allocate(capacity: dither == nil ? 0 : Self.chunk * channelCount)
    if container == .wav {
      let header = WAVHeader(format, tags: tags)
      sink.write(sink.isSeekable ? header.bounded(frameCount: 0) : header.unbounded)
    }
    try checkSink()
  }

  deinit {
    encoder = nil
    sink.discard()
    staging.deallocate()
    cursors.deallocate()
    dithered.deallocate()
  }

  /// Whether the file appears under its name when it is finished: not so a pipe, a device or standard output.
  public var isReplacing: Bool { sink.isReplacing }

  /// Appends `frameCount` frames of as many planar channels as the format has.
  public func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AudioFileError) {
    try lock.withLock { _ throws(AudioFileError) in
      var done = 0
      while done < frameCount {
        let count = min(Self.chunk, frameCount - done)
        for channel in 0..<format.channelCount { (cursors + channel).initialize(to: channels[channel] + done) }
        try append(channelCount: format.channelCount, sampleCount: count * format.channelCount)
        done += count
      }
    }
  }

  /// Appends a buffer: what `AudioEngine.render` gives, for one.
  ///
  /// - Throws: `AudioFileError.otherFormat` if its rate or number of channels is not the file's.
  public func write(_ buffer: AudioBuffer) throws(AudioFileError) {
    let wanted = AudioFormat(sampleRate: Double(format.sampleRate), channelCount: format.channelCount)
    guard buffer.format == wanted else { throw .otherFormat(path: sink.path, buffer.format, file: wanted) }
    try buffer.withPointers { channels throws(AudioFileError) in
      try write(channels, frameCount: buffer.frameCount)
    }
  }

  /// Appends `frameCount` frames of interleaved samples.
  public func write(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileError) {
    try lock.withLock { _ throws(AudioFileError) in
      var done = 0
      while done < frameCount {
        let count = min(Self.chunk, frameCount - done)
        // One channel as long as all of them together is interleaved already.
        cursors.initialize(to: UnsafeMutablePointer(mutating: samples + done * format.channelCount))
        try append(channelCount: 1, sampleCount: count * format.channelCount)
        done += count
      }
    }
  }

  /// Completes the header and gives the file its name; also after an interruption. Later calls do nothing.
  ///
  /// - Throws: the first error of writing, now or before. A file that is kept is then whole all the same, up to what
  ///   could be written.
  public func finish() throws(AudioFileError) {
    try lock.withLock { _ throws(AudioFileError) in try complete() }
  }

  private func complete() throws(AudioFileError) {
    guard !isFinished else { return }
    isFinished = true
    let failure = sink.isKeeping ? sink.recover() : 0
    encoder?.finish()
    encoder = nil
    // What the encoder still had may find no room either.
    if failure != 0 { _ = sink.recover() }
    if format.container == .wav && sink.isSeekable {
      let header = WAVHeader(format, tags: tags)
      sink.rewrite(header.bounded(frameCount: written))
      sink.write([UInt8](repeating: 0, count: header.padding(frameCount: written)))
    }
    if failure != 0 {
      sink.discard()
      throw AudioFileError(writing: sink.path, code: failure)
    }
    try sink.commit()
  }

  /// Lets a kept file tell once a second how long it is, so that it opens also after the program was killed.
  private func tellLength() {
    guard sink.isKeeping, written - toldFrameCount >= format.sampleRate else { return }
    toldFrameCount = written
    encoder?.tellLength(frameCount: written)
    if format.container == .wav { sink.overwrite(WAVHeader(format, tags: tags).bounded(frameCount: written)) }
  }

  /// Appends what the cursors point to: a channel each, or one of interleaved samples.
  private func append(channelCount: Int, sampleCount: Int) throws(AudioFileError) {
    if dither != nil { roundWithDither(channelCount: channelCount, sampleCount: sampleCount) }
    let form = encoder?.sampleFormat ?? format.samples.fileFormat
    interleave(
      UnsafePointer(cursors), channelCount: channelCount, frameCount: sampleCount / channelCount, into: staging,
      as: form)
    if let encoder {
      encoder.append(staging, count: sampleCount)
    } else {
      sink.write(staging, count: sampleCount * form.byteCount)
    }
    try checkSink()
    written += sampleCount / format.channelCount
    tellLength()
  }

  /// Points the cursors to rounded copies of what they point to.
  private func roundWithDither(channelCount: Int, sampleCount: Int) {
    let frameCount = sampleCount / format.channelCount
    let isInterleaved = channelCount < format.channelCount
    for channel in 0..<format.channelCount {
      let source = isInterleaved ? cursors[0] + channel : cursors[channel]
      let target = dithered + channel * (isInterleaved ? 1 : frameCount)
      dither?.round(
        source, into: target, count: frameCount, channel: channel, stride: isInterleaved ? format.channelCount : 1)
      if !isInterleaved { cursors[channel] = target }
    }
    if isInterleaved { cursors[0] = dithered }
  }

  private func checkSink() throws(AudioFileError) {
    if sink.failure != 0 { throw AudioFileError(writing: sink.path, code: sink.failure) }
  }
}
