import ALSA
import AudioGraph
import DSP
import MIDI

/// Plays songs on a device. The device is opened first, and the synthesizer is built for what it granted.
public final class SongPlayer: Sendable {
  public let device: PCMOutput
  public let synthesizer: Synthesizer
  private let source: PlayerSource

  /// Opens the device, loads the soundfonts and wires the chain. [control thread]
  ///
  /// - Parameter configuration: its rate and channel count give way to the device's.
  /// - Throws: `PCMError`, or what `Synthesizer` throws.
  public init(_ request: PCMRequest, _ configuration: SynthesizerConfiguration) throws {
    device = try PCMOutput(request)
    var granted = configuration
    granted.sampleRate = Double(device.parameters.rate)
    granted.channelCount = device.parameters.channels
    synthesizer = try Synthesizer(granted)
    source = PlayerSource(synthesizer.engine)
  }

  /// Plays a song until its tail is silent; the device then stops by itself. [control thread]
  public func start(_ song: Song, tail: Tail = .standard) throws(PCMError) {
    let timeline = synthesizer.play(song)
    source.begin(TailDetector(tail, songEnd: timeline.duration, sampleRate: synthesizer.engine.sampleRate))
    try device.start(PlayerSource.callback, context: source.context)
  }

  /// Ends the song early. [any thread]
  public func stop() { device.stop(.drop) }

  /// Waits until the device has played everything, or was stopped.
  ///
  /// - Throws: the error that ended the playing.
  public func wait() throws(PCMError) { try device.wait() }

  public var isPlaying: Bool { device.isRunning }

  /// How much of the song has been rendered, in seconds. What is heard is behind it by the device's buffer.
  public var position: Double { Double(source.frameCount) / synthesizer.engine.sampleRate }

  /// The highest absolute sample since the last call; 1 is full scale. One reader at a time.
  public func takePeak() -> Float { source.takePeak() }
}
