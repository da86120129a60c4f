/// A render plan as plain data, for printing: what renders, in which order, from and into which buffers.
public struct PlanDescription: Sendable {
  /// One entry per node, in the order in which they render.
  public let steps: [Step]
  /// How many buffers serve all buses, the silence that unconnected inputs share not counted.
  public let bufferCount: Int

  /// One node of the plan.
  public struct Step: Sendable {
    /// What renders in this step.
    public let node: any AudioNode
    /// Whether the graph itself added the node: a converter that came with a connection.
    public let isImplicit: Bool
    /// One entry per input bus.
    public let inputs: [Input]
    /// One entry per output bus.
    public let outputs: [Output]
    /// For a node that takes its input at another moment than it renders: after which of the steps. Nil for all others.
    public let takesInputAfter: Int?

    /// The node's.
    public var name: String { node.name }
  }

  /// An input bus as it is fed; all nil where nothing is connected.
  public struct Input: Sendable {
    /// What is heard here, which may be an implicit converter.
    public let source: BusEnd?
    /// What the node hears here.
    public let format: AudioFormat?
    /// The number of the buffer it is read from.
    public let buffer: Int?
  }

  /// An output bus and where it renders to.
  public struct Output: Sendable {
    /// What the node gives here.
    public let format: AudioFormat
    /// The number of the buffer it renders into.
    public let buffer: Int
  }
}

extension PlanDescription {
  init(_ draft: PlanDraft, _ order: [StepOrder.Step], _ buffers: BufferAssignment) {
    let rendered = order.filter { $0.action == .render }.map(\.node)
    let place = Dictionary(uniqueKeysWithValues: rendered.enumerated().map { ($1, $0) })
    var takesInputAfter: [Int: Int] = [:]
    var last = 0
    for step in order {
      switch step.action {
      case .render: last = place[step.node] ?? last
      case .intake: takesInputAfter[step.node] = last
      }
    }
    steps = rendered.map { index in
      let node = draft.nodes[index]
      return Step(
        node: node.node, isImplicit: node.isImplicit,
        inputs: zip(node.sources, node.formats.inputs).map { source, format in
          Input(
            source: source.map { draft.nodes[$0.node].outputEnd($0.bus) }, format: format,
            buffer: source.map { buffers[$0].buffer.number })
        },
        outputs: node.formats.outputs.enumerated().map { bus, format in
          Output(format: format, buffer: buffers[PlannedSource(node: index, bus: bus)].buffer.number)
        },
        takesInputAfter: takesInputAfter[index])
    }
    bufferCount = buffers.bufferCount
  }
}

extension Graph {
  /// The plan this graph would be rendered by. [control thread]
  ///
  /// - Parameter sampleRate: the output unit's, in hertz.
  /// - Throws: what an edit that left this graph would throw.
  public func planDescription(sampleRate: Double) throws(GraphError) -> PlanDescription {
    let draft = try PlanDraft(self, sampleRate: sampleRate)
    let steps = StepOrder(draft.nodes, sampleRate: sampleRate).steps
    return PlanDescription(
      draft, steps, BufferAssignment(draft.nodes, outputNode: draft.outputNode, steps: steps))
  }
}
