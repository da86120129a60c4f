import Realtime
import Synchronization

/// The graph's end: it pulls the whole graph and routes the mix to the device's channels.
///
/// Its one output bus faces the device. A graph has exactly one. A mono mix is heard as the first two channels of the mix,
/// so that it sounds on both sides unless the map says otherwise.
public final class OutputNode: AudioNode {
  public let name = "output"
  public let inputBusCount = 1
  public let outputBusCount = 1
  private let sourceCount: Int
  private let present: Mutex<ChannelMap>
  private let slot = KernelSlot<ChannelMap>()

  /// - Parameters:
  ///   - sourceCount: how many channels the mix has.
  ///   - channelMap: left out, the mix goes to the device's first channels.
  public init(channelCount: Int, sourceCount: Int = 2, channelMap: ChannelMap? = nil) throws(ChannelMapError) {
    let map = channelMap ?? .direct(from: sourceCount, to: channelCount)
    try map.validate(sourceCount: sourceCount, destinationCount: channelCount)
    self.sourceCount = sourceCount
    present = Mutex(map)
  }

  /// How many channels the device has.
  public var channelCount: Int { channelMap.sources.count }

  /// Which channel of the mix each device channel plays; it has one entry per device channel.
  public var channelMap: ChannelMap { present.withLock { $0 } }

  /// The channel count, with which the channel map becomes the direct one, and the channel map.
  public var properties: [Property] {
    let channels = 1...Self.mostChannels
    let sources = PropertyKind.integer(ChannelMap.silence...max(ChannelMap.silence, sourceCount - 1))
    return [
      Property("channel count", of: self, kind: .integer(channels), access: .whileStopped) { [self] in
        .integer(channelCount)
      } write: { [self] value in
        let map = ChannelMap.direct(from: sourceCount, to: value.integer ?? channelCount)
        present.withLock { $0 = map }
      },
      Property("channel map", of: self, kind: .list(of: sources, count: channels)) { [self] in
        .list(channelMap.sources.map { .integer($0) })
      } write: { [self] value in
        let map = ChannelMap((value.list ?? []).compactMap(\.integer))
        try present.withLock { present in
          try map.validate(sourceCount: sourceCount, destinationCount: present.sources.count)
          present = map
        }
      },
    ]
  }

  /// More than any sound card has.
  private static let mostChannels = 1024

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    if let input = inputs[0], input.sampleRate != sampleRate {
      throw FormatRefusal(
        bus: 0, reason: "it runs at \(input.sampleRate) Hz, the device at \(sampleRate) Hz",
        remedy: "put a converter between them")
    }
    return [AudioFormat(sampleRate: sampleRate, channelCount: channelCount)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    let map = channelMap
    return slot.kernel(for: map) { Kernel(OutputKernel(map: map), entry: OutputKernel.entry) }
  }
}

private struct OutputKernel: ~Copyable {
  private let sources: UnsafeMutablePointer<Int>
  private let count: Int

  init(map: ChannelMap) {
    count = map.sources.count
    sources = .allocate(capacity: count)
    for (destination, source) in map.sources.enumerated() { (sources + destination).initialize(to: source) }
  }

  deinit { sources.deallocate() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: OutputKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  func render(_ context: RenderContext) {
    let mix = context.input(0)
    let device = context.output(0)
    guard !mix.isSilent else { return device.silence() }
    // The map may have been set anew since the formats propagated.
    for destination in 0..<device.channelCount {
      var source = destination < count ? sources[destination] : -1
      if source == 1, mix.channelCount == 1 { source = 0 }
      if source >= 0, source < mix.channelCount {
        copySamples(from: mix[source], to: device[destination], count: renderQuantum)
      } else {
        device[destination].update(repeating: 0, count: renderQuantum)
      }
    }
  }
}
