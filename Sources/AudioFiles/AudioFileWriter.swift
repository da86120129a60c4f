import CSndfile
import DSP

/// Writes float samples into a WAV, FLAC or raw file, or into a pipe.
///
/// Integers are rounded to nearest without dither, so that the same audio always makes the same file, and saturate at
/// full scale. A file appears under its name when `finish` has succeeded, also one that is shorter than was planned; a
/// writer that is let go before leaves nothing. Used by one thread at a time.
public final class AudioFileWriter {
  /// What is being written.
  public let format: AudioFileFormat
  /// Frames written so far.
  public private(set) var frameCount = 0

  private let sink: FileSink
  /// Libsndfile's handle; nil if samples go straight into the sink.
  private var sndfile: OpaquePointer?
  private let staging: UnsafeMutableRawPointer
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// Frames converted at a time: 1024 stereo floats are 8 KB and stay in the first-level cache.
  private static let chunk = 1024

  /// Creates the file; `-` is standard output. Without a container the path's extension decides, and a pipe, a device or
  /// standard output gets WAV. A WAV that cannot be gone back to has no length in its header and ends where it ends.
  public init(
    path: String, container: AudioFileContainer? = nil, samples: AudioFileSamples = .int16, rate: Int, channels: Int
  ) throws(AudioFileError) {
    sink = try FileSink(path: path)
    guard let container = container ?? AudioFileContainer(path: path) ?? (sink.isReplacing ? nil : .wav) else {
      throw .unsupported(path: path, reason: "unknown extension — use .wav, .flac or .raw")
    }
    format = AudioFileFormat(container: container, samples: samples, rate: rate, channels: channels)
    if let reason = format.refusal(seekable: sink.isSeekable) { throw .unsupported(path: sink.path, reason: reason) }
    let throughLibrary = container != .raw && sink.isSeekable
    sndfile = throughLibrary ? try format.open(sink) : nil
    staging = .allocate(byteCount: Self.chunk * channels * 4, alignment: 64)
    cursors = .allocate(capacity: channels)
    if container == .wav && !throughLibrary {
      let header = format.streamHeader
      header.withUnsafeBytes { if let base = $0.baseAddress { _ = sink.write(base, count: header.count) } }
    }
    try checkSink()
  }

  deinit {
    if let sndfile { sf_close(sndfile) }
    sink.discard()
    staging.deallocate()
    cursors.deallocate()
  }

  /// Appends `frameCount` frames of as many planar channels as the format has.
  public func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AudioFileError) {
    var done = 0
    while done < frameCount {
      let count = min(Self.chunk, frameCount - done)
      for channel in 0..<format.channels { (cursors + channel).initialize(to: channels[channel] + done) }
      try append(UnsafePointer(cursors), channelCount: format.channels, sampleCount: count * format.channels)
      done += count
    }
  }

  /// Appends `frameCount` frames of interleaved samples.
  public func write(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileError) {
    var done = 0
    while done < frameCount {
      let count = min(Self.chunk, frameCount - done)
      // One channel as long as all of them together is interleaved already.
      cursors.initialize(to: UnsafeMutablePointer(mutating: samples + done * format.channels))
      try append(UnsafePointer(cursors), channelCount: 1, sampleCount: count * format.channels)
      done += count
    }
  }

  /// Completes the header and gives the file its name; also after an interruption. Later calls do nothing.
  public func finish() throws(AudioFileError) {
    if let sndfile {
      self.sndfile = nil
      sf_close(sndfile)
    }
    try sink.commit()
  }

  private func append(
    _ source: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, sampleCount: Int
  ) throws(AudioFileError) {
    let form = format.samples.stagingFormat(forLibrary: sndfile != nil)
    interleave(source, channelCount: channelCount, frameCount: sampleCount / channelCount, into: staging, as: form)
    if let sndfile {
      format.samples.write(staging, count: sampleCount, to: sndfile)
    } else {
      _ = sink.write(staging, count: sampleCount * form.byteCount)
    }
    try checkSink()
    frameCount += sampleCount / format.channels
  }

  private func checkSink() throws(AudioFileError) {
    if sink.failure != 0 { throw AudioFileError(writing: sink.path, code: sink.failure) }
  }
}
