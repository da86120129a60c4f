import SynthDSP
import SynthRealtime

@testable import AudioGraph

/// The recursive pull as the textbook has it: every node asks for its inputs and renders, once a quantum, each bus into
/// a buffer of its own that nothing else ever uses.
///
/// A converter asks for the input its late output is made of, and a delay for all before the present quantum. Neither
/// may ask for more: in a loop that would be input which depends on the very output asked for.
final class NaivePull {
  private let graph: Graph
  private let unitRate: Double
  private var parts: [ObjectIdentifier: Part] = [:]
  /// Delays that have formats, but no sources yet.
  private var unfed: [Part] = []
  private let silence = OwnBuffer(channelCount: 0, isSilent: true)

  /// A node with all it has ever rendered.
  private final class Part {
    let node: any AudioNode
    var formats: BusFormats?
    var feeds: [(part: Part, bus: Int)?] = []
    var rendered: [[OwnBuffer]] = []
    var taken = 0
    /// Whether it waits for its inputs.
    var isPulled = false

    init(_ node: any AudioNode) { self.node = node }
  }

  /// A node was asked for what it is about to render.
  private struct Endless: Error {
    let node: String
    let quantum: Int
  }

  private final class OwnBuffer {
    let bus: UnsafeMutablePointer<BusBuffer>
    private let samples: UnsafeMutableRawPointer

    init(channelCount: Int, isSilent: Bool = false) {
      let byteCount = max(1, channelCount) * renderQuantum * MemoryLayout<Float>.stride
      samples = .allocate(byteCount: byteCount, alignment: 64)
      let floats = samples.initializeMemory(as: Float.self, repeating: 0, count: byteCount / 4)
      bus = .allocate(capacity: 1)
      bus.initialize(to: BusBuffer(samples: floats, channelCount: channelCount, isSilent: isSilent))
    }

    deinit {
      bus.deallocate()
      samples.deallocate()
    }
  }

  init(_ graph: Graph, sampleRate: Double) {
    self.graph = graph
    unitRate = sampleRate
  }

  // In a loop the parts hold each other.
  deinit { for part in parts.values { part.feeds = [] } }

  /// The output's samples of each channel.
  func render(quantumCount: Int) throws -> [[Float]] {
    guard let output = graph.nodes.first(where: { $0 is OutputNode }) else { return [] }
    let root = try part(output)
    while let delay = unfed.popLast() { try feed(delay) }
    var samples: [[Float]] = [[], []]
    try flushing {
      for quantum in 0..<quantumCount {
        let bus = Bus(buffer: try pull(root, quantum)[0].bus)
        for channel in 0..<2 { samples[channel] += (0..<renderQuantum).map { bus[channel][$0] } }
      }
    }
    return samples
  }

  private func flushing(_ body: () throws -> Void) throws {
    var result = Result<Void, any Error>.success(())
    flushingDenormals { result = Result(catching: body) }
    try result.get()
  }

  private func pull(_ part: Part, _ quantum: Int) throws -> [OwnBuffer] {
    if quantum < part.rendered.count { return part.rendered[quantum] }
    guard !part.isPulled else { throw Endless(node: part.node.name, quantum: quantum) }
    part.isPulled = true
    defer { part.isPulled = false }
    guard let formats = part.formats else { return [] }
    let kernel = part.node.kernel(for: formats)
    var inputs: [OwnBuffer] = []
    if let intake = kernel.intake {
      let end = needed(part, formats, quantum)
      while part.taken < end {
        let taken = part.taken
        part.taken += 1
        run(intake, kernel, try pullInputs(part, taken), [], quantum: taken)
      }
    } else {
      inputs = try pullInputs(part, quantum)
    }
    let outputs = formats.outputs.map { OwnBuffer(channelCount: $0.channelCount) }
    run(kernel.entry, kernel, inputs, outputs, quantum: quantum)
    part.rendered.append(outputs)
    return outputs
  }

  /// How many quanta of input there must be for a quantum of output.
  private func needed(_ part: Part, _ formats: BusFormats, _ quantum: Int) -> Int {
    guard part.node.inputTiming == .otherRate, let input = formats.inputs[0] else { return quantum }
    let rates = ConversionRates(input: input.sampleRate, output: formats.outputs[0].sampleRate, unit: unitRate)
    let end = Double((quantum + 1) * renderQuantum - rates.latency) * rates.step
    let frames = end + Double(StreamResampler.lookahead(step: rates.step) + 2)
    return Int((frames / Double(renderQuantum)).rounded(.up))
  }

  private func pullInputs(_ part: Part, _ quantum: Int) throws -> [OwnBuffer] {
    try part.feeds.map { feed in try feed.map { try pull($0.part, quantum)[$0.bus] } ?? silence }
  }

  private func run(
    _ entry: RenderFunction, _ kernel: Kernel, _ inputs: [OwnBuffer], _ outputs: [OwnBuffer], quantum: Int
  ) {
    var table = (inputs + outputs).map(\.bus)
    table.withUnsafeMutableBufferPointer { table in
      guard let buses = table.baseAddress ?? UnsafeMutablePointer(bitPattern: 16) else { return }
      var time = GroupQuantum(framesPerFrame: RateRatio(1, over: 1))
      time.sampleTime = Int64(quantum * renderQuantum)
      withUnsafePointer(to: &time) { time in
        var context = RenderContext(inputs: inputs.count, outputs: outputs.count, buses: buses, quantum: time)
        withUnsafeMutablePointer(to: &context) { entry(kernel.state, UnsafeMutableRawPointer($0)) }
      }
    }
  }

  /// A node, fed and with formats. A delay is fed later: what feeds it may depend on it.
  private func part(_ node: any AudioNode) throws -> Part {
    if let part = parts[ObjectIdentifier(node)] { return part }
    let part = Part(node)
    parts[ObjectIdentifier(node)] = part
    if node.inputTiming == .delayed {
      part.formats = try formats(node, Array(repeating: nil, count: node.inputBusCount))
      unfed.append(part)
    } else {
      try feed(part)
    }
    return part
  }

  private func feed(_ part: Part) throws {
    part.feeds = try graph.feeds(of: part.node).map { try $0.map(feed) }
    let inputs = part.feeds.map { $0.flatMap { $0.part.formats?.outputs[$0.bus] } }
    part.formats = try formats(part.node, inputs)
  }

  private func formats(_ node: any AudioNode, _ inputs: [AudioFormat?]) throws -> BusFormats {
    let outputs = try node.outputFormats(inputs: inputs, sampleRate: unitRate)
    return BusFormats(inputs: inputs, outputs: outputs, unitSampleRate: unitRate)
  }

  private func feed(_ connection: Connection) throws -> (part: Part, bus: Int) {
    let source = try part(connection.source.node)
    let (bus, destination) = (connection.source.bus, connection.destination)
    guard let offered = source.formats?.outputs[bus] else { return (source, bus) }
    let wanted = destination.node.inputFormat(bus: destination.bus, offered: offered, sampleRate: unitRate)
    guard wanted != offered else { return (source, bus) }
    let converter = Part(connection.entrance.converter)
    converter.formats = BusFormats(inputs: [offered], outputs: [wanted], unitSampleRate: unitRate)
    converter.feeds = [(source, bus)]
    return (converter, 0)
  }
}
