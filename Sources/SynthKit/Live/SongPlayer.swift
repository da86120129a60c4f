import ALSA
import AudioGraph
import DSP
import MIDI

/// Plays songs on a device, or on several as one. The device is opened first, and the synthesizer is built for what it granted.
public final class SongPlayer: Sendable {
  public let device: PCMAggregate
  public let synthesizer: Synthesizer
  private let source: PlayerSource

  /// Opens the devices, loads the soundfonts and wires the chain. [control thread]
  ///
  /// - Parameters:
  ///   - requests: the first device is the clock; the channel map counts the channels of all, in this order.
  ///   - configuration: its rate and channel count give way to the devices'.
  ///   - assignments: in place of a channel map.
  /// - Throws: `PCMError`, `ChannelAssignmentError`, or what `Synthesizer` throws.
  public init(
    _ requests: [PCMRequest], _ configuration: SynthesizerConfiguration, assignments: [ChannelAssignment] = []
  ) throws {
    device = try PCMAggregate(requests)
    synthesizer = try Synthesizer(try configuration.granted(by: device, assignments))
    source = PlayerSource(synthesizer.engine)
  }

  deinit {
    // Somebody else may keep the device, but what it renders from goes now.
    device.stop(.drop)
    device.wait()
  }

  /// Plays a song until its tail is silent; the device then stops by itself. The engine is the player's own until `wait`
  /// has returned. [control thread]
  ///
  /// - Throws: `PCMError`, `SamplerError` where presets cannot be loaded, or `EngineError` where somebody else renders the
  ///   engine.
  public func start(_ song: Song, tail: Tail = .standard) throws {
    guard !device.isRunning else {
      throw PCMError("starting", device.parameters.device, .invalid("it is playing already"))
    }
    source.wait(for: device)
    try synthesizer.instruments.load(song)
    try source.start(device) {
      let songEnd = synthesizer.play(song).duration &+ Int64(synthesizer.latency)
      source.begin(TailDetector(tail, songEnd: songEnd, sampleRate: synthesizer.engine.sampleRate))
    }
  }

  /// Ends the song early. [any thread]
  public func stop() { device.stop(.drop) }

  /// Ends the song early with a short fade, and waits until it has been heard. [control thread]
  public func fadeOut() { synthesizer.fadeOut(of: device) { source.frameCount } }

  /// Waits until the device has played everything, or was stopped.
  public func wait() { source.wait(for: device) }

  public var isPlaying: Bool { device.isRunning }

  /// How much of the song has been rendered, in seconds. What is heard is behind it by the device's buffer.
  public var position: Double { Double(source.frameCount) / synthesizer.engine.sampleRate }

  /// The highest absolute sample since the last call; 1 is full scale. One reader at a time.
  public func takePeak() -> Float { source.takePeak() }
}
