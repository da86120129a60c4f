import Realtime
import Synchronization

/// The graph's end: it pulls the whole graph and routes the mix to the device's channels.
///
/// Its one output bus faces the device. A graph has exactly one.
public final class OutputNode: AudioNode {
  public let name = "output"
  public let inputBusCount = 1
  public let outputBusCount = 1
  /// How many channels the device has.
  public let channelCount: Int
  /// Which channel of the mix each device channel plays.
  public let channelMap: ChannelMap
  private let slot = KernelSlot<Int>()

  /// - Parameters:
  ///   - sourceCount: how many channels the mix has.
  ///   - channelMap: left out, the mix goes to the device's first channels.
  public init(channelCount: Int, sourceCount: Int = 2, channelMap: ChannelMap? = nil) throws(ChannelMapError) {
    let map = channelMap ?? .direct(from: sourceCount, to: channelCount)
    try map.validate(sourceCount: sourceCount, destinationCount: channelCount)
    self.channelCount = channelCount
    self.channelMap = map
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    if let input = inputs[0], input.sampleRate != sampleRate {
      throw FormatRefusal(
        bus: 0, reason: "it runs at \(input.sampleRate) Hz, the device at \(sampleRate) Hz",
        remedy: "put a converter between them")
    }
    return [AudioFormat(sampleRate: sampleRate, channelCount: channelCount)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) { Kernel(OutputKernel(map: channelMap), entry: OutputKernel.entry) }
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
    for destination in 0..<count {
      let source = sources[destination]
      if source >= 0, source < mix.channelCount {
        copySamples(from: mix[source], to: device[destination], count: renderQuantum)
      } else {
        device[destination].update(repeating: 0, count: renderQuantum)
      }
    }
  }
}
