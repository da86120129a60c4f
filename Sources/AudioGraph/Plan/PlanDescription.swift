/// A render plan as plain data, for whoever prints it: what renders, in which order, from and into which buffers.
public struct PlanDescription: Sendable {
  /// One entry per node, in the order in which they render.
  public let steps: [Step]
  /// How many buffers serve all buses, the silence that unconnected inputs share not counted.
  public let bufferCount: Int

  /// One node of the plan.
  public struct Step: Sendable {
    public let node: any AudioNode
    /// Whether nobody attached the node: a converter that came with a connection.
    public let isImplicit: Bool
    /// One entry per input bus.
    public let inputs: [Input]
    /// One entry per output bus.
    public let outputs: [Output]
    /// For a node that takes its input at another moment than it renders: after which of the steps. Nil for all others.
    public let takesInputAfter: Int?

    public var name: String { node.name }
  }

  /// An input bus as it is fed; all nil where nothing is connected.
  public struct Input: Sendable {
    /// What is heard here, which may be an implicit converter.
    public let source: BusEnd?
    public let format: AudioFormat?
    public let buffer: Int?
  }

  /// An output bus and where it renders to.
  public struct Output: Sendable {
    public let format: AudioFormat
    public let buffer: Int
  }
}

extension Graph {
  /// The plan this graph would be rendered by. [control threads]
  ///
  /// - Parameter sampleRate: the output unit's, in hertz.
  /// - Throws: what an edit that left this graph would throw.
  public func planDescription(sampleRate: Double) throws(GraphError) -> PlanDescription {
    try PlanCompiler(graph: self, sampleRate: sampleRate).describe()
  }
}
