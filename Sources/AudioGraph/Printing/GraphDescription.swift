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
    public let inputs: [Input]
    public let outputs: [Output]
    public let parameters: [Parameter]
    public let properties: [Property]
  }

  /// One bus of one node, by the node's index in `nodes`.
  public struct End: Sendable, Hashable {
    public let node: Int
    public let bus: Int
  }

  /// An input bus; all nil where nothing is connected, and format and buffer nil where it does not render.
  public struct Input: Sendable {
    public let source: End?
    public let format: AudioFormat?
    public let buffer: Int?
  }

  /// An output bus; format and buffer are nil where it does not render.
  public struct Output: Sendable {
    public let destinations: [End]
    public let format: AudioFormat?
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
