/// One bus of one node.
public struct BusEnd: Sendable, Equatable, CustomStringConvertible {
  /// Attached to the graph.
  public let node: any AudioNode
  /// Whether it is one of the node's inputs or outputs.
  public let scope: BusScope
  /// Of that side, from 0.
  public let bus: Int

  public init(node: any AudioNode, scope: BusScope, bus: Int) {
    self.node = node
    self.scope = scope
    self.bus = bus
  }

  public static func == (left: BusEnd, right: BusEnd) -> Bool {
    left.node === right.node && left.scope == right.scope && left.bus == right.bus
  }

  public var description: String { "\(node.name) \(scope) bus \(bus)" }
}

/// The side of a node a bus is on.
public enum BusScope: String, Sendable, CustomStringConvertible {
  /// Where a node takes sound, or gives it.
  case input, output

  public var description: String { rawValue }
}

/// An output bus feeding an input bus. An output may feed several inputs; an input is fed by one output.
public struct Connection: Sendable, Equatable {
  /// An output bus.
  public let source: BusEnd
  /// An input bus.
  public let destination: BusEnd
  /// What stands before the destination bus.
  let entrance: Entrance

  public static func == (left: Connection, right: Connection) -> Bool {
    left.source == right.source && left.destination == right.destination
  }
}

/// What stands before an input bus. It stays there when the bus is fed from another source, so that filters and delays
/// keep their memory.
struct Entrance: Sendable {
  /// Where the formats of source and destination differ and the destination wants them converted.
  let converter = ConverterNode()
  /// Where the destination wants its inputs aligned.
  let alignment = AlignmentSlot()
}

extension Graph {
  /// The nodes along the loop that a new connection would close, from `source` back to it; nil where it closes none, or
  /// where a delay is in the loop.
  ///
  /// Goes upstream from the source, where what feeds a node is found without a search, and visits each node once; not
  /// at all where a graph is built in either direction, node by node.
  func cycle(closedBy source: any AudioNode, to destination: any AudioNode) -> [any AudioNode]? {
    guard destination.inputTiming != .delayed, source === destination || isHeard(destination) else { return nil }
    // For every node that was reached, the one downstream from which it was.
    var downstream: [ObjectIdentifier: any AudioNode] = [:]
    var pending: [any AudioNode] = [source]
    while let node = pending.popLast() {
      if node === destination { return path(from: destination, to: source, downstream) }
      guard node.inputTiming != .delayed else { continue }
      for feeding in sources(of: node).compactMap({ $0?.node }) where feeding !== source {
        let key = ObjectIdentifier(feeding)
        guard downstream[key] == nil else { continue }
        downstream[key] = node
        pending.append(feeding)
      }
    }
    return nil
  }

  private func path(
    from destination: any AudioNode, to source: any AudioNode, _ downstream: [ObjectIdentifier: any AudioNode]
  ) -> [any AudioNode] {
    var path = [source]
    var node: (any AudioNode)? = destination
    while let present = node, present !== source {
      path.append(present)
      node = downstream[ObjectIdentifier(present)]
    }
    return path + [source]
  }
}
