/// Why an edit of the graph was refused. The graph is then as it was.
public enum GraphError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The graph has the node already.
  case alreadyAttached(node: String)
  /// The node is to be attached first.
  case notAttached(node: String)
  /// A node renders in one engine at a time.
  case inAnotherEngine(node: String)
  /// The node has `count` buses on that side, and no bus `bus`.
  case noSuchBus(node: String, scope: BusScope, bus: Int, count: Int)
  /// The input is fed by another output; an input takes one.
  case inputTaken(input: String, by: String)
  /// Nothing that could be disconnected feeds the input.
  case notConnected(input: String)
  /// The connection would close a loop that has no delay in it; the names of its nodes, in order.
  case cycle(path: [String])
  /// A bus that its node has done away with is still connected.
  case busGone(bus: String, count: Int)
  /// The input that would be removed is connected.
  case busInUse(input: String)
  /// The node has no input bus that could be removed.
  case noBusLeft(node: String)
  /// What a node says of its own output buses cannot be rendered.
  case unfitOutput(node: String, reason: String)
  /// The destination cannot take the source's format, for a reason in its own words.
  case formatMismatch(source: String, destination: String, reason: String, remedy: String)
  /// A graph has one output node at most, and one that an output unit plays has one.
  case outputNodes(count: Int)

  public var description: String {
    switch self {
    case .alreadyAttached(let node):
      "attaching \(node): it is attached already; attach a node once"
    case .notAttached(let node):
      "using \(node): it is not attached to this graph; attach it first"
    case .inAnotherEngine(let node):
      "attaching \(node): another engine has it, and it renders in one at a time; detach it there first, or make another"
    case .noSuchBus(let node, let scope, let bus, let count):
      "connecting \(node): \(scope) bus \(bus) does not exist; it has \(count), numbered from 0"
    case .inputTaken(let input, let source):
      "connecting \(input): \(source) feeds it already; disconnect it first, or use a mixer"
    case .notConnected(let input):
      "disconnecting \(input): nothing is connected to it"
    case .cycle(let path):
      "connecting \(path.joined(separator: " → ")): the path leads back to its start; feedback needs a delay between"
    case .busGone(let bus, let count):
      "preparing \(bus): the bus is gone, the node has \(count) now; disconnect it"
    case .busInUse(let input):
      "removing \(input): it is connected; disconnect it first"
    case .noBusLeft(let node):
      "removing an input bus of \(node): it has none left"
    case .unfitOutput(let node, let reason):
      "preparing \(node): \(reason)"
    case .formatMismatch(let source, let destination, let reason, let remedy):
      "connecting \(source) to \(destination): \(reason); \(remedy)"
    case .outputNodes(let count):
      "preparing the graph: it has \(count) output nodes; attach exactly one, it starts and stops the flow"
    }
  }
}
