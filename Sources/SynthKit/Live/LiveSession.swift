import ALSA
import AudioGraph
import Instruments
import Synchronization

/// Plays what comes from MIDI keyboards, until it is stopped. The device is opened first, and the synthesizer is built for
/// what it granted.
public final class LiveSession: Sendable {
  /// Where it is heard.
  public let device: PCMAggregate
  /// Where keyboards are joined.
  public let sequencer: Sequencer
  /// What sounds.
  public let synthesizer: Synthesizer
  /// When what is played is heard.
  public let timing: LiveTiming
  private let source: PlayerSource
  private let news = LiveNewsQueue()
  private let loader: BackgroundLoader

  /// Opens the devices and the sequencer, joins the keyboards, loads the soundfonts and wires the chain. [control thread]
  ///
  /// - Parameters:
  ///   - requests: the first device is the clock; the channel map counts the channels of all, in this order.
  ///   - configuration: its rate and channel count give way to the devices'.
  ///   - assignments: in place of a channel map.
  ///   - loading: what is loaded while it plays, where the configuration preloads only what is used.
  /// - Throws: `PCMError`, `ChannelAssignmentError`, `SequencerError`, or what `Synthesizer` throws.
  public init(
    _ requests: [PCMRequest], _ configuration: SynthesizerConfiguration, assignments: [ChannelAssignment] = [],
    sources: SourceSelection = .all, timing: LiveTiming = .steady, loading: BackgroundLoading = .everything
  ) throws {
    device = try PCMAggregate(requests)
    sequencer = try Sequencer(sources: sources)
    synthesizer = try Synthesizer(try configuration.granted(by: device, assignments))
    source = PlayerSource(synthesizer.engine)
    self.timing = timing
    loader = BackgroundLoader(synthesizer.instruments, loading) { [news] in news.add($0) }
  }

  deinit {
    // Somebody else may keep the device, but what it renders from goes now.
    device.stop(.drop)
    device.wait()
    sequencer.stop()
  }

  /// From a key to its sound, in seconds, on the device that plays now.
  public var latency: ClosedRange<Double> {
    let latency = timing.latency(device.present, chain: synthesizer.latency)
    return latency.lowerBound + device.alignment...latency.upperBound + device.alignment
  }

  /// Begins to play. Called once. [control thread]
  ///
  /// - Throws: `PCMError`, `SequencerError`, or `EngineError` where somebody else renders the engine.
  public func start() throws {
    try source.start(device)
    loader.start()
    var input = LiveInput(synthesizer.instruments.events) { [source, device, timing] hostTime in
      // A time that has passed is now.
      guard timing == .steady, let time = source.sampleTime(at: hostTime) else { return 0 }
      return time &+ timing.delay(device.present)
    }
    try sequencer.start { [news] event in
      let before = input.dropCount
      input.receive(event)
      if input.dropCount > before { news.add(.messagesDropped(input.dropCount - before)) }
      if let item = LiveNews(event) { news.add(item) }
    }
  }

  /// Ends the playing. [any thread]
  public func stop() { device.stop(.drop) }

  /// Ends the playing with a short fade, and waits until it has been heard. [control thread]
  public func fadeOut() { synthesizer.fadeOut(of: device) { source.frameCount } }

  /// Waits until the device has stopped, and then for the sequencer.
  public func wait() {
    defer { sequencer.stop() }
    source.wait(for: device)
  }

  /// Whether the device still asks for audio; false after `stop`, or when it has failed.
  public var isPlaying: Bool { device.isRunning }

  /// What has happened since the last call, oldest first.
  public func takeNews() -> [LiveNews] {
    news.items.withLock { news in
      defer { news.removeAll() }
      return news
    }
  }

  /// The highest absolute sample since the last call; 1 is full scale. One reader at a time.
  public func takePeak() -> Float { source.takePeak() }
}

/// What a person wants to know of a live session.
public enum LiveNews: Sendable, Equatable {
  /// A source was connected.
  case joined(SequencerPort)
  /// A source was disconnected, and what it held released.
  case departed(SequencerPort)
  /// More came than could be kept; everything that was held was released.
  case eventsLost
  /// So many messages found no room on their way to the sampler.
  case messagesDropped(Int)
  /// A channel, counted from 0, plays something else.
  case presetChanged(channel: Int, ChannelPreset)
  /// Presets could not be loaded while it plays; what channels have stays.
  case loadingFailed(SamplerError)

  init?(_ event: SequencerEvent) {
    switch event {
    case .joined(let port): self = .joined(port)
    case .departed(let port): self = .departed(port)
    case .eventsLost: self = .eventsLost
    case .bytes, .fellSilent: return nil
    }
  }
}

/// An object of its own, so that the sequencer's thread does not keep the session alive.
private final class LiveNewsQueue: Sendable {
  let items = Mutex<[LiveNews]>([])

  /// Where messages are dropped, many are: they are counted together.
  func add(_ item: LiveNews) {
    items.withLock { items in
      if case .messagesDropped(let count) = item, case .messagesDropped(let before) = items.last {
        items[items.count - 1] = .messagesDropped(before + count)
      } else {
        items.append(item)
      }
    }
  }
}
