import Synchronization
import SynthRealtime

/// A whole graph as one node of another: the outer engine renders the inner one as its own step.
///
/// The inner graph is edited through its own engine, at any time and atomically as ever. It hears what arrives at the
/// node's inputs through `inputs`, which are nodes for it to attach, and its output node is the node's output bus. It
/// shares the outer sample time.
///
///     let strip = try GraphNode(inner, inputFormats: [.stereo(48000)])
///     try inner.edit { graph in
///       for node in [strip.inputs[0], equalizer, output] as [any AudioNode] { try graph.attach(node) }
///       try graph.connect(strip.inputs[0], to: equalizer)
///       try graph.connect(equalizer, to: output)
///     }
public final class GraphNode: AudioNode {
  public let name: String
  /// The inner engine; as long as it is a node it is not started or rendered by itself.
  public let engine: AudioEngine
  /// What arrives at the input buses, as nodes of the inner graph.
  public let inputs: [SourceNode]
  public let outputBusCount = 1
  private let channelCount: Int
  private let ports: GraphPorts
  private let lease: PullerLease
  private let slot = KernelSlot<Int>()
  /// Of the engine it is a node of, in hertz, as the bits of a Double.
  private let outerRate: Atomic<UInt64>

  /// - Parameters:
  ///   - engine: made without an output unit, or stopped.
  ///   - inputFormats: one for each input bus.
  ///   - channelCount: what the inner graph's output node has.
  /// - Throws: `EngineError`.
  public init(
    name: String = "graph", _ engine: AudioEngine, inputFormats: [AudioFormat] = [], channelCount: Int = 2
  ) throws {
    self.name = name
    self.engine = engine
    self.channelCount = channelCount
    outerRate = Atomic(engine.sampleRate.bitPattern)
    lease = try engine.lease(to: name, channelCount: channelCount)
    let ports = GraphPorts(count: inputFormats.count)
    self.ports = ports
    inputs = inputFormats.enumerated().map { bus, format in
      SourceNode(name: "\(name) input \(bus)", format: format, ports.callback(bus))
    }
  }

  public var inputBusCount: Int { inputs.count }
  public var innerEngine: AudioEngine? { engine }
  public var isStreaming: Bool { true }
  /// That of the inner graph.
  public var latency: Int { engine.latency }

  public var properties: [Property] {
    [Property(Self.sampleRate, of: self) { [engine] in .number(engine.sampleRate) }]
  }

  static let sampleRate = SourceNode.sampleRate

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    for (bus, format) in inputs.enumerated() {
      guard let format, format != self.inputs[bus].format else { continue }
      throw FormatRefusal(
        bus: bus, reason: "it carries \(format), \(name) was made for \(self.inputs[bus].format)",
        remedy: "put a converter between them")
    }
    return [AudioFormat(sampleRate: engine.sampleRate, channelCount: channelCount)]
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    outerRate.store(formats.unitSampleRate.bitPattern, ordering: .relaxed)
    return slot.kernel(for: 0) {
      Kernel(
        GraphKernel(renderer: engine.renderer.pointer, ports: ports.buses, portCount: inputs.count),
        retaining: [lease, ports], entry: GraphKernel.entry)
    }
  }

  /// The inner graph starts over as well.
  public func reset() throws { try engine.reset() }

  public func prepareToRender(frameCount: Int) {
    let outerRate = Double(bitPattern: outerRate.load(ordering: .relaxed))
    let count = (Double(frameCount) * engine.sampleRate / outerRate).rounded(.up)
    // The inner graph renders whole quanta.
    engine.prepareStreamingNodes(frameCount: Int(count) + renderQuantum)
  }
}

/// Where the inner graph finds the outer's buses while it is rendered.
private final class GraphPorts: @unchecked Sendable {
  let buses: UnsafeMutablePointer<Bus?>

  init(count: Int) {
    buses = .allocate(capacity: count)
    buses.initialize(repeating: nil, count: count)
  }

  deinit { buses.deallocate() }

  /// What renders an input of the inner graph.
  func callback(_ bus: Int) -> RenderCallback {
    RenderCallback(GraphPorts.entry, context: UnsafeMutableRawPointer(buses + bus), owner: self)
  }

  private static let entry: RenderFunction = { bus, request in
    let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
    copyQuantum(from: bus.assumingMemoryBound(to: Bus?.self).pointee, to: request.buffers)
  }
}

private struct GraphKernel {
  let renderer: UnsafeMutablePointer<Renderer>
  let ports: UnsafeMutablePointer<Bus?>
  let portCount: Int

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: GraphKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  func render(_ context: RenderContext) {
    for port in 0..<portCount { ports[port] = context.input(port) }
    let mix = renderer.pointee.renderSingleQuantum(at: context.sampleTime, hostTime: context.hostTime)
    for port in 0..<portCount { ports[port] = nil }
    copyQuantum(from: mix, to: context.output(0))
  }
}

/// From one plan's memory to another's; silence where there is nothing.
@_noLocks
private func copyQuantum(from source: Bus?, to destination: Bus) {
  guard let source, !source.isSilent, source.channelCount == destination.channelCount else {
    return destination.silence()
  }
  copySamples(from: source[0], to: destination[0], count: source.channelCount &* renderQuantum)
}
