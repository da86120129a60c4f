/// A graph as plain data, to be printed: its nodes in the order in which they render, their buses, and what they are
/// set to at this moment.
public struct GraphDescription: Sendable {
  /// The output unit's, in hertz; nil where the graph was described without it.
  public let sampleRate: Double?
  /// Those that render, in their order, then those that the output does not reach.
  public let nodes: [Node]
  /// How many buffers serve all buses; nil if the graph cannot be rendered as it is.
  public let bufferCount: Int?
  /// Why it cannot.
  public let fault: GraphError?

  /// A node and its buses.
  public struct Node: Sendable {
    /// What people call it.
    public let name: String
    /// Its class.
    public let kind: String
    /// Whether the graph brought it by itself: a converter that came with a connection.
    public let isImplicit: Bool
    /// Whether it renders: the output or a sink pulls it.
    public let isRendered: Bool
    /// Whether its output faces the device.
    public let isOutput: Bool
    /// For a node that takes its input at another moment than it renders: the index of the node after which it does.
    public let takesInputAfter: Int?
    /// One entry per input bus.
    public let inputs: [Input]
    /// One entry per output bus.
    public let outputs: [Output]
    /// Its real-time values, in the node's order.
    public let parameters: [Parameter]
    /// Its configuration, in the node's order.
    public let properties: [Property]
  }

  /// One bus of one node, by the node's index in `nodes`.
  public struct End: Sendable, Hashable {
    /// The place in `nodes`.
    public let node: Int
    /// From 0.
    public let bus: Int
  }

  /// An input bus; all nil where nothing is connected, and format and buffer nil where it does not render.
  public struct Input: Sendable {
    /// The output bus that feeds it.
    public let source: End?
    /// What the node hears here.
    public let format: AudioFormat?
    /// The number of the buffer it is read from.
    public let buffer: Int?
  }

  /// An output bus; format and buffer are nil where it does not render.
  public struct Output: Sendable {
    /// The input buses that it feeds.
    public let destinations: [End]
    /// What the node gives here.
    public let format: AudioFormat?
    /// The number of the buffer it renders into.
    public let buffer: Int?
  }
}

extension GraphDescription {
  /// Describes a graph as it is now. [control thread]
  ///
  /// - Parameter sampleRate: the output unit's; without it there are neither formats nor buffers to tell.
  public init(_ graph: Graph, sampleRate: Double? = nil) {
    var plan: PlanDescription?
    var fault: GraphError?
    if let sampleRate {
      do throws(GraphError) {
        plan = try graph.planDescription(sampleRate: sampleRate)
        if graph.outputNode == nil { fault = .outputNodes(count: 0) }
      } catch {
        fault = error
      }
    }
    self.sampleRate = sampleRate
    self.fault = fault
    bufferCount = plan?.bufferCount
    nodes = GraphNumbering(graph, plan).nodes
  }
}

extension AudioEngine {
  /// The graph as it is now, to be printed. [control thread]
  public var graphDescription: GraphDescription { GraphDescription(graph, sampleRate: sampleRate) }
}

extension AudioEngine: CustomStringConvertible {
  /// The graph as text; see `GraphDescription.text`.
  public var description: String { graphDescription.text }
}

extension Graph: CustomStringConvertible {
  /// Nodes and connections as text; formats and buffers depend on the engine's rate, so the engine tells them.
  public var description: String { GraphDescription(self).text }
}

/// Gives every node of a graph its number, and describes it by the numbers of the others.
struct GraphNumbering {
  private let steps: [PlanDescription.Step]
  private let idle: [any AudioNode]
  private let graph: Graph
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var destinations: [GraphDescription.End: [GraphDescription.End]] = [:]

  init(_ graph: Graph, _ plan: PlanDescription?) {
    self.graph = graph
    steps = plan?.steps ?? []
    let rendered = Set(steps.map { ObjectIdentifier($0.node) })
    idle = graph.nodes.filter { !rendered.contains(ObjectIdentifier($0)) }
    for (index, node) in (steps.map(\.node) + idle).enumerated() { numbers[ObjectIdentifier(node)] = index }
    let sources = steps.map { $0.inputs.map(\.source) } + idle.map { graph.sources(of: $0) }
    for (node, inputs) in sources.enumerated() {
      for (bus, source) in inputs.enumerated() {
        guard let source = source.flatMap(end) else { continue }
        destinations[source, default: []].append(GraphDescription.End(node: node, bus: bus))
      }
    }
  }

  var nodes: [GraphDescription.Node] {
    let rendered = steps.enumerated().map { index, step in
      describe(
        step.node, index, step,
        inputs: step.inputs.map { .init(source: $0.source.flatMap(end), format: $0.format, buffer: $0.buffer) },
        outputs: step.outputs.map { ($0.format, $0.buffer) })
    }
    let rest = idle.enumerated().map { index, node in
      describe(
        node, steps.count + index, nil,
        inputs: graph.sources(of: node).map { .init(source: $0.flatMap(end), format: nil, buffer: nil) },
        outputs: Array(repeating: (nil, nil), count: node.outputBusCount))
    }
    return rendered + rest
  }

  private func describe(
    _ node: any AudioNode, _ index: Int, _ step: PlanDescription.Step?, inputs: [GraphDescription.Input],
    outputs: [(format: AudioFormat?, buffer: Int?)]
  ) -> GraphDescription.Node {
    GraphDescription.Node(
      name: node.name, kind: "\(type(of: node))", isImplicit: step?.isImplicit ?? false, isRendered: step != nil,
      isOutput: node.deviceChannelCount != nil, takesInputAfter: step?.takesInputAfter, inputs: inputs,
      outputs: outputs.enumerated().map { bus, output in
        let end = GraphDescription.End(node: index, bus: bus)
        return .init(destinations: destinations[end] ?? [], format: output.format, buffer: output.buffer)
      },
      parameters: node.parameters, properties: node.properties)
  }

  private func end(_ end: BusEnd) -> GraphDescription.End? {
    numbers[ObjectIdentifier(end.node)].map { GraphDescription.End(node: $0, bus: end.bus) }
  }
}
