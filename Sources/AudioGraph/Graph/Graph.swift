/// Which nodes there are and how they are connected: a value, so that an edit is a copy that is taken whole or dropped.
public struct Graph: Sendable {
  /// In the order in which they were attached.
  public private(set) var nodes: [any AudioNode] = []
  public private(set) var connections: [Connection] = []

  public init() {}

  /// Adds a node, unconnected.
  public mutating func attach(_ node: any AudioNode) throws(GraphError) {
    guard !isAttached(node) else { throw .alreadyAttached(node: node.name) }
    nodes.append(node)
  }

  /// Removes a node and its connections.
  public mutating func detach(_ node: any AudioNode) throws(GraphError) {
    try requireAttached(node)
    nodes.removeAll { $0 === node }
    connections.removeAll { $0.source.node === node || $0.destination.node === node }
  }

  /// Lets an output bus feed an input bus.
  public mutating func connect(
    _ source: any AudioNode, to destination: any AudioNode, fromBus sourceBus: Int = 0, toBus destinationBus: Int = 0
  ) throws(GraphError) {
    let output = try end(of: source, .output, bus: sourceBus)
    let input = try end(of: destination, .input, bus: destinationBus)
    if let feeding = self.source(of: input) { throw .inputTaken(input: "\(input)", by: "\(feeding)") }
    connections.append(Connection(source: output, destination: input))
    if let path = cycle(from: source) {
      connections.removeLast()
      throw .cycle(path: path.map(\.name))
    }
  }

  /// Frees an input bus.
  public mutating func disconnect(input node: any AudioNode, bus: Int = 0) throws(GraphError) {
    let input = try end(of: node, .input, bus: bus)
    guard source(of: input) != nil else { throw .notConnected(input: "\(input)") }
    connections.removeAll { $0.destination == input }
  }

  /// Puts a node in the place of another, with all its connections. This is how a render callback is changed.
  public mutating func replace(_ old: any AudioNode, with new: any AudioNode) throws(GraphError) {
    try requireAttached(old)
    guard !isAttached(new) else { throw .alreadyAttached(node: new.name) }
    var edited = self
    edited.nodes = nodes.map { $0 === old ? new : $0 }
    edited.connections = []
    for connection in connections {
      let (source, destination) = (connection.source, connection.destination)
      try edited.connect(
        source.node === old ? new : source.node, to: destination.node === old ? new : destination.node,
        fromBus: source.bus, toBus: destination.bus)
    }
    self = edited
  }

  /// Attaches a tap, or another sink, and lets an output bus feed it.
  public mutating func tap(_ node: any AudioNode, bus: Int = 0, with sink: any AudioNode) throws(GraphError) {
    var edited = self
    try edited.attach(sink)
    try edited.connect(node, to: sink, fromBus: bus)
    self = edited
  }

  /// The nodes at which paths end without the output node.
  var connectedSinks: [any AudioNode] {
    nodes.filter { node in
      node.outputBusCount == 0 && connections.contains { $0.destination.node === node }
    }
  }

  /// What feeds an input bus.
  public func source(of input: BusEnd) -> BusEnd? {
    connections.first { $0.destination == input }?.source
  }

  private func isAttached(_ node: any AudioNode) -> Bool { nodes.contains { $0 === node } }

  private func requireAttached(_ node: any AudioNode) throws(GraphError) {
    guard isAttached(node) else { throw .notAttached(node: node.name) }
  }

  private func end(of node: any AudioNode, _ scope: BusScope, bus: Int) throws(GraphError) -> BusEnd {
    try requireAttached(node)
    // The output node's own output faces the device; nothing inside the graph can be fed from it.
    let outputCount = node is OutputNode ? 0 : node.outputBusCount
    let count = scope == .input ? node.inputBusCount : outputCount
    guard (0..<count).contains(bus) else {
      throw .noSuchBus(node: node.name, scope: scope, bus: bus, count: count)
    }
    return BusEnd(node: node, scope: scope, bus: bus)
  }

  /// The nodes along a path that leads from `start` back to it.
  private func cycle(from start: any AudioNode) -> [any AudioNode]? {
    var visited: Set<ObjectIdentifier> = []
    func path(from node: any AudioNode) -> [any AudioNode]? {
      for next in connections where next.source.node === node {
        let reached = next.destination.node
        if reached === start { return [node, reached] }
        guard visited.insert(ObjectIdentifier(reached)).inserted else { continue }
        if let rest = path(from: reached) { return [node] + rest }
      }
      return nil
    }
    return path(from: start)
  }
}
