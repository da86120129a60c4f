import SynthDSP
import SynthRealtime

/// What an input unit captures, as a node: where a path begins.
///
/// Its one output bus has the wanted channels, each from a channel of the hardware. It runs at the unit's rate; where
/// the graph has another one, connections convert.
///
/// An engine that starts on an output starts its inputs too, and stops them when it pauses or stops. For rendering by
/// hand, `start` and `stop` do that; rendering then waits for what is captured, and takes every frame once:
///
///     let input = try InputNode(unit, channelMap: ChannelMap([0, 2]))
///     let output = try OutputNode(channelCount: 2)
///     let engine = AudioEngine(sampleRate: unit.sampleRate)
///     try engine.edit { graph in
///       try graph.attach(input)
///       try graph.attach(output)
///       try graph.connect(input, to: output)
///     }
///     try input.start()
///     let second = try engine.render(frameCount: 48000)
///     try input.stop()
public final class InputNode: AudioNode {
  public let name = "input"
  public let inputBusCount = 0
  public let outputBusCount = 1
  public let isStreaming = true
  /// Nil for one that is silent.
  public let unit: (any InputUnit)?
  /// The unit's rate, and as many channels as are wanted.
  public let format: AudioFormat
  private let settings: CheckedMutex<Settings>
  private let capture: InputCapture
  private let slot = KernelSlot<ChannelMap>()

  private struct Settings {
    var channelMap: ChannelMap
    var isEnabled = true
    /// Whether it has started the unit.
    var isStarted = false
    /// The unit's frames per frame of the engine.
    var step = 1.0
  }

  /// - Parameters:
  ///   - channelCount: how many channels are wanted; nil for as many as the map or the unit has.
  ///   - channelMap: the unit's channel for each that is wanted, or -1 for silence; nil for the first ones.
  /// - Throws: `InputError`.
  public convenience init(
    _ unit: any InputUnit, channelCount: Int? = nil, channelMap: ChannelMap? = nil
  ) throws(InputError) {
    let count = channelCount ?? channelMap?.sources.count ?? unit.channelCount
    try self.init(unit, AudioFormat(sampleRate: unit.sampleRate, channelCount: count), channelMap)
  }

  /// An input that is silent, until another one with a unit replaces it.
  public convenience init(format: AudioFormat) throws(InputError) {
    try self.init(nil, format, nil)
  }

  private init(_ unit: (any InputUnit)?, _ format: AudioFormat, _ channelMap: ChannelMap?) throws(InputError) {
    let hardwareCount = unit?.channelCount ?? 0
    let map = channelMap ?? .direct(from: hardwareCount, to: format.channelCount)
    try map.validate(for: unit, wanted: format.channelCount)
    self.unit = unit
    self.format = format
    settings = CheckedMutex(Settings(channelMap: map))
    do throws(ResamplerError) {
      capture = try InputCapture(channelCount: max(1, hardwareCount), sampleRate: format.sampleRate)
    } catch {
      throw .noMemory(unit: unit?.name ?? name, reason: error.description)
    }
  }

  deinit {
    // There is no caller left to throw to.
    try? stop()
  }

  /// The unit's channel for each of the wanted ones; -1 is silence. [any thread]
  public var channelMap: ChannelMap { settings.withLock { $0.channelMap } }

  /// Whether the unit is started at all; else the node is silent. [any thread]
  public var isEnabled: Bool { settings.withLock { $0.isEnabled } }

  /// [any thread]
  public var statistics: InputStatistics { capture.queue.pointer.pointee.statistics }

  /// Begins to capture for rendering by hand. [control thread]
  ///
  /// - Throws: what the unit throws.
  public func start() throws { try start(for: nil) }

  /// Ends the capture; what was captured can still be rendered. [control thread]
  ///
  /// - Throws: what made the unit end by itself.
  public func stop() throws {
    let wasStarted = settings.withLock { settings in
      defer { settings.isStarted = false }
      return settings.isStarted
    }
    if wasStarted { try unit?.stop() }
  }

  /// In seconds: by as much the steering may be off until the drift is known.
  private static let tolerance = 0.001

  /// - Parameter output: what asks for the audio; nil for rendering by hand.
  func start(for output: (any OutputUnit)?) throws {
    guard let unit, isEnabled else { return }
    guard !unit.isRunning else { throw InputError.running(unit: unit.name) }
    follow(output)
    try unit.start(InputQueue.entry, context: UnsafeMutableRawPointer(capture.queue.pointer))
    settings.withLock { $0.isStarted = true }
  }

  /// Reads at the pace of this output from here on.
  func follow(_ output: (any OutputUnit)?) {
    guard let unit else { return }
    let isSteered = output.map { !unit.sharesClock(with: $0) } ?? false
    // All frames of a slice of the output are read at one moment, and the unit gives a period at one moment.
    let slice = output.map { Double($0.latency.period) * unit.frameRate / clampedRate($0.sampleRate) } ?? 0
    let slack = isSteered ? StreamResampler.lookahead(step: 1) + Int(unit.frameRate * Self.tolerance) : 0
    let delay = unit.framePeriod + Int(slice.rounded(.up)) + slack
    capture.queue.pointer.pointee.begin(delay: delay, isSteered: isSteered)
  }

  /// Whether it captures, the channel map, and what was decided when the node was made.
  public var properties: [Property] {
    let count = format.channelCount
    let hardwareCount = unit?.channelCount ?? 0
    return [
      Property(SourceNode.sampleRate, of: self) { [format] in .number(format.sampleRate) },
      Property(SourceNode.channelCount, of: self) { .integer(count) },
      Property("hardware channel count", of: self, kind: .integer(0...1024)) { .integer(hardwareCount) },
      Property("enabled", of: self, kind: .bool, access: .whileStopped) { [self] in
        .bool(isEnabled)
      } write: { [self] value in
        settings.withLock { $0.isEnabled = value.bool ?? true }
      },
      Property("channel map", of: self, kind: .list(of: .channel(count: hardwareCount), count: count...count)) {
        [self] in
        .list(channelMap.sources.map { .integer($0) })
      } write: { [self] value in
        let map = ChannelMap((value.list ?? []).compactMap(\.integer))
        try map.validate(for: unit, wanted: count)
        settings.withLock { $0.channelMap = map }
      },
    ]
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] { [format] }

  public func kernel(for formats: BusFormats) -> Kernel {
    let map = settings.withLock { settings in
      settings.step = format.sampleRate / formats.unitSampleRate
      return settings.channelMap
    }
    return slot.kernel(for: map) {
      Kernel(
        InputKernel(capture.reader.pointer, map), retaining: [capture], sharing: capture, entry: InputKernel.entry)
    }
  }

  public func prepareToRender(frameCount: Int) {
    guard let unit else { return }
    let step = settings.withLock { $0.step }
    // Converters ask for some quanta ahead.
    let lookahead = step == 1 ? 0 : 2 * renderQuantum
    capture.waitForFrames(Int((Double(frameCount) * step).rounded(.up)) + lookahead, of: unit)
  }
}

private struct InputKernel: ~Copyable {
  private let reader: UnsafeMutablePointer<InputReader>
  private let sources: UnsafeMutablePointer<Int>

  init(_ reader: UnsafeMutablePointer<InputReader>, _ map: ChannelMap) {
    self.reader = reader
    sources = .allocate(capacity: map.sources.count)
    sources.initialize(from: map.sources, count: map.sources.count)
  }

  deinit { sources.deallocate() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: InputKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  func render(_ context: RenderContext) {
    let output = context.output(0)
    guard reader.pointee.read(hostTime: context.hostTime) > 0 else { return output.silence() }
    for channel in 0..<output.channelCount {
      if sources[channel] >= 0 {
        copyFiniteSamples(from: reader.pointee.channels[sources[channel]], to: output[channel], count: renderQuantum)
      } else {
        output[channel].update(repeating: 0, count: renderQuantum)
      }
    }
  }
}

extension ChannelMap {
  /// The rule for inputs: one entry for each wanted channel, each a channel of the unit or silence.
  fileprivate func validate(for unit: (any InputUnit)?, wanted: Int) throws(InputError) {
    guard sources.count == wanted else { throw .mapLength(self, wanted: wanted) }
    let count = unit?.channelCount ?? 0
    if let channel = sources.first(where: { $0 >= count || $0 < Self.silence }) {
      throw .noSuchChannel(self, channel: channel, unit: unit?.name ?? "the input", channels: count)
    }
  }
}
