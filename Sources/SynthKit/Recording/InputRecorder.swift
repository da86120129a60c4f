import AudioGraph
import SynthAudioFiles
import SynthDSP
import SynthRealtime

/// Records what an input captures into a file, every frame as it came: nothing is resampled, mixed or left out.
///
///     let recorder = try InputRecorder(DeviceInput("hw:1"), to: "take.flac", channelMap: ChannelMap([0, 2]))
///     try recorder.start()
///     while recorder.duration < 60, try recorder.record() != nil {}
///     try recorder.finish()
///
/// The file can be opened whatever happens (`AudioFileNaming.atOnce`). The disk may stall for two seconds; where it
/// stalls for longer, silence keeps the file in time, and `input.statistics` counts what found no room. Used by one
/// thread at a time. [control thread]
public final class InputRecorder {
  /// What is recorded, and how it is doing.
  public let input: InputNode
  private let engine: AudioEngine
  private let file: AudioFileWriter
  private let frameLimit: Int
  /// Half a second, of which at least a tenth is recorded at a time.
  private let buffer: SampleBuffer

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: its extension says what file it is; nothing is overwritten.
  ///   - samples: of no account where the file is lossy.
  ///   - channelCount: how many channels are wanted; nil for as many as the map or the input has.
  ///   - channelMap: the input's channel for each that is wanted, from 0, or -1 for silence; nil for the first ones.
  ///   - sampleRate: what the file is to have; an input of another one is refused, and not resampled. Nil for the
  ///     input's.
  ///   - frameLimit: where the file ends; nil for no end.
  /// - Throws: `InputError`, `RecordingError` or `AudioFileError`.
  public init(
    _ unit: any InputUnit, to path: String, samples: AudioFileSamples = .int24, channelCount: Int? = nil,
    channelMap: ChannelMap? = nil, sampleRate: Int? = nil, frameLimit: Int? = nil
  ) throws {
    guard sampleRate.map({ Double($0) == unit.sampleRate }) ?? true, let granted = Int(exactly: unit.sampleRate) else {
      throw RecordingError.rate(wanted: sampleRate ?? 0, input: unit.name, granted: unit.sampleRate)
    }
    input = try InputNode(unit, channelCount: channelCount, channelMap: channelMap)
    let count = input.format.channelCount
    engine = AudioEngine(sampleRate: unit.sampleRate)
    let output = try OutputNode(
      channelCount: count, sourceCount: count, channelMap: ChannelMap(Array(0..<count)))
    try engine.edit { [input] graph in
      try graph.attach(input)
      try graph.attach(output)
      try graph.connect(input, to: output)
    }
    file = try AudioFileWriter(path: path, samples: samples, sampleRate: granted, channelCount: count, naming: .atOnce)
    buffer = SampleBuffer(channelCount: count, frameCapacity: granted / 2)
    self.frameLimit = frameLimit ?? .max
  }

  /// What the file is.
  public var format: AudioFileFormat { file.format }

  /// Frames in the file so far.
  public var frameCount: Int { file.frameCount }

  /// In seconds.
  public var duration: Double { Double(frameCount) / Double(format.sampleRate) }

  /// Begins to capture.
  ///
  /// - Throws: what the input throws.
  public func start() throws { try input.start() }

  /// Writes what was captured meanwhile; waits until that is a twentieth of a second.
  ///
  /// - Returns: the highest absolute sample of each channel; nil at the end of the file or of the input.
  /// - Throws: what made the disk refuse it; `finish` then completes the file with what came before.
  public func record() throws -> [Float]? {
    let waiting = input.statistics.fill
    let wanted = input.unit?.isRunning == true ? max(buffer.frameCapacity / 10, waiting) : waiting
    let block = min(wanted, buffer.frameCapacity)
    // Of a quantum that is read in part the rest would not be seen to wait.
    let count = min(block < renderQuantum ? block : block / renderQuantum * renderQuantum, frameLimit - frameCount)
    guard count > 0 else { return nil }
    try engine.render(buffer.slice(frameCount: count))
    try file.write(buffer.channels, frameCount: count)
    return (0..<buffer.channelCount).map { channel in
      buffer.channel(channel, frameCount: count).reduce(0) { max($0, abs($1)) }
    }
  }

  /// Ends the capture, and completes the file; also after an error.
  ///
  /// - Throws: the first error of writing, now or before.
  public func finish() throws {
    // What has ended by itself told so while it was recorded.
    try? input.stop()
    try file.finish()
  }
}
