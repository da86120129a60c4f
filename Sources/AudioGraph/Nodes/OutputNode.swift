import SynthDSP
import SynthRealtime

/// The graph's end: it pulls the whole graph and routes the mix to the device's channels.
///
/// Its one output bus faces the device, and taps can be connected to it. A graph that plays has exactly one output
/// node. A mix at another rate is converted. A mono mix is heard as the first two channels of the mix, so that it
/// sounds on both sides unless the map says otherwise.
///
/// Without a map the channels of the mix go to the device's first channels, except that nothing is lost on small
/// devices: everything goes to a single channel as the mean of its sides, and 4.0, 5.1 and 7.1 to two channels as by
/// `ChannelConversion.automatic`. Any other mix with more channels than the device is refused, and so is one with more
/// channels than a map chooses from.
///
/// Non-finite samples become 0: no device and no file gets any.
public final class OutputNode: AudioNode, AligningNode {
  public let name = "output"
  public var inputBusCount: Int { routing.withLock { 1 + $0.others.count } }
  public let outputBusCount = 1
  private let sourceCount: Int
  private let routing: CheckedMutex<Routing>
  private let slot = KernelSlot<[ChannelMap]>()

  private struct Routing {
    var channelCount: Int
    /// Nil where none was given.
    var map: ChannelMap?
    /// Of the inputs after the mix.
    var others: [ChannelMap] = []
  }

  /// - Parameters:
  ///   - sourceCount: how many channels a map may choose from.
  ///   - channelMap: which channel of the mix each device channel plays; nil is the standard for the mix.
  public init(channelCount: Int, sourceCount: Int = 2, channelMap: ChannelMap? = nil) throws(ChannelMapError) {
    let map = channelMap ?? .standard(from: sourceCount, to: channelCount)
    try map.validate(sourceCount: sourceCount, destinationCount: channelCount)
    self.sourceCount = sourceCount
    routing = CheckedMutex(Routing(channelCount: channelCount, map: channelMap))
  }

  /// How many channels the device has.
  public var channelCount: Int { routing.withLock { $0.channelCount } }
  public var deviceChannelCount: Int? { channelCount }

  /// Which channel of the mix each device channel plays; it has one entry per device channel.
  public var channelMap: ChannelMap { channelMap(from: sourceCount) }

  private func channelMap(from sourceCount: Int) -> ChannelMap {
    routing.withLock { $0.map ?? .standard(from: sourceCount, to: $0.channelCount) }
  }

  /// Sets which channel of the mix each device channel plays, from the next edit of the graph on. While the engine
  /// plays: `engine.edit { _ in try output.setChannelMap(map) }`. [control thread]
  ///
  /// - Throws: for a map that has not one entry per device channel, or chooses from more channels than `sourceCount`.
  public func setChannelMap(_ map: ChannelMap) throws(ChannelMapError) {
    try routing.withLock { routing throws(ChannelMapError) in
      try map.validate(sourceCount: sourceCount, destinationCount: routing.channelCount)
      routing.map = map
    }
  }

  /// Has inputs beside the mix, 1 and on, and adds each to channels of the device; from the next edit of the graph on.
  /// [control thread]
  ///
  /// - Parameter channels: of the device, from 0, for each bus: left and right in turn, or the mean on a single one.
  package func setOthers(_ channels: [[Int]]) {
    routing.withLock { routing in
      routing.others = channels.map { channels in
        var sources = [Int](repeating: ChannelMap.silence, count: routing.channelCount)
        for (place, channel) in channels.enumerated() where sources.indices.contains(channel) {
          sources[channel] = channels.count == 1 ? ChannelMap.mean : place % 2
        }
        return ChannelMap(sources)
      }
    }
  }

  /// Whether buses are added to the mix, so that all have to be as late as the latest.
  package var alignsInputs: Bool { inputBusCount > 1 }

  /// The channel count, with which the channel map becomes the standard one, and the channel map.
  public var properties: [Property] {
    let channels = 1...Self.mostChannels
    return [
      Property("channel count", of: self, kind: .integer(channels), access: .whileStopped) { [self] in
        .integer(channelCount)
      } write: { [self] value in
        routing.withLock { $0 = Routing(channelCount: value.integer ?? $0.channelCount, map: nil) }
      },
      Property("channel map", of: self, kind: .list(of: .channel(count: sourceCount), count: channels)) { [self] in
        channelMap.propertyValue
      } write: { [self] value in
        try setChannelMap(ChannelMap((value.list ?? []).compactMap(\.integer)))
      },
    ]
  }

  /// More than any sound card has.
  private static let mostChannels = 1024

  public func inputFormat(bus: Int, offered: AudioFormat, sampleRate: Double) -> AudioFormat {
    let (count, hasMap) = routing.withLock { ($0.channelCount, $0.map != nil) }
    // Stereo becomes mono in the node itself.
    guard bus == 0 else { return AudioFormat(sampleRate: sampleRate, channelCount: min(2, offered.channelCount)) }
    let isMixedDown = !hasMap && offered.channelCount > 2 && (count == 1 || (count == 2 && isSurround(offered)))
    return AudioFormat(sampleRate: sampleRate, channelCount: isMixedDown ? count : offered.channelCount)
  }

  private func isSurround(_ format: AudioFormat) -> Bool { [4, 6, 8].contains(format.channelCount) }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    let (count, hasMap) = routing.withLock { ($0.channelCount, $0.map != nil) }
    let mixCount = inputs[0]?.channelCount ?? 0
    if hasMap, mixCount > sourceCount {
      throw FormatRefusal(
        bus: 0, reason: "the mix has \(mixCount) channels, of which the output node's map chooses from \(sourceCount)",
        remedy: "make the output node with a sourceCount of \(mixCount)")
    }
    if !hasMap, mixCount > max(2, count) {
      throw FormatRefusal(
        bus: 0, reason: "the mix has \(mixCount) channels, the device \(count), and \(mixCount - count) would be lost",
        remedy: "make the output node with a sourceCount of \(mixCount) and a channel map, "
          + "or put a matrix mixer before it")
    }
    return [AudioFormat(sampleRate: sampleRate, channelCount: count)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    // A mono mix counts as two channels, or as so many as a map may choose from.
    let offered = formats.inputs[0].map(\.channelCount) ?? sourceCount
    let maps = [channelMap(from: offered == 1 ? sourceCount : offered)] + routing.withLock(\.others)
    return slot.kernel(for: maps) { Kernel(OutputKernel(maps), entry: OutputKernel.entry) }
  }
}

private struct OutputKernel: ~Copyable {
  /// For each bus the source of each of the device's channels.
  private let sources: UnsafeMutablePointer<Int>
  private let busCount: Int
  private let count: Int
  private let silence = ChannelMap.silence
  private let mean = ChannelMap.mean

  /// - Parameter maps: of the mix, then of the other buses; all of one length.
  init(_ maps: [ChannelMap]) {
    (busCount, count) = (maps.count, maps[0].sources.count)
    sources = .allocate(capacity: busCount * count)
    for (place, source) in maps.flatMap(\.sources).enumerated() { (sources + place).initialize(to: source) }
  }

  deinit { sources.deallocate() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: OutputKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  func render(_ context: RenderContext) {
    let device = context.output(0)
    play(context.input(0), on: device)
    for bus in 1..<max(1, min(busCount, context.inputBusCount)) where !context.input(bus).isSilent {
      add(context.input(bus), to: device, sources + bus &* count)
    }
  }

  @_noLocks
  private func play(_ mix: Bus, on device: Bus) {
    guard !mix.isSilent else { return device.silence() }
    // The map may have been set again since the formats propagated.
    for destination in 0..<device.channelCount {
      var source = destination < count ? sources[destination] : silence
      if mix.channelCount == 1, source == 1 || source == mean { source = 0 }
      if source == mean {
        mixDown(mix, to: device[destination])
      } else if source >= 0, source < mix.channelCount {
        copyFiniteSamples(from: mix[source], to: device[destination], count: renderQuantum)
      } else {
        device[destination].update(repeating: 0, count: renderQuantum)
      }
    }
  }

  @_noLocks
  private func add(_ bus: Bus, to device: Bus, _ sources: UnsafePointer<Int>) {
    for destination in 0..<min(count, device.channelCount) where sources[destination] != silence {
      let isMean = sources[destination] == mean && bus.channelCount > 1
      let gain = GainSegment(start: isMean ? 0.5 : 1, step: 0)
      let source = isMean ? 0 : min(max(0, sources[destination]), bus.channelCount &- 1)
      addBlock(bus[source], into: device[destination], gain: gain, count: renderQuantum)
      if isMean { addBlock(bus[1], into: device[destination], gain: gain, count: renderQuantum) }
      makeFinite(device[destination], count: renderQuantum)
    }
    device.isSilent = false
  }

  @_noLocks
  private func mixDown(_ mix: Bus, to destination: UnsafeMutablePointer<Float>) {
    let gain = GainSegment(start: 1 / Float(Int32(truncatingIfNeeded: mix.channelCount)), step: 0)
    _ = scaleBlock(mix[0], into: destination, gain: gain, count: renderQuantum)
    for channel in 1..<mix.channelCount {
      addBlock(mix[channel], into: destination, gain: gain, count: renderQuantum)
    }
    makeFinite(destination, count: renderQuantum)
  }
}
