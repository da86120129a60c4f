/// Which nodes there are and how they are connected: a value, so that an edit is a copy that is taken whole or dropped.
public struct Graph: Sendable {
  /// In the order in which they were attached.
  public private(set) var nodes: [any AudioNode] = []
  /// In the order in which they were made.
  public private(set) var connections: [Connection] = []
  /// For every attached node, what feeds its input buses, as far up as one was ever connected.
  private var feeds: [ObjectIdentifier: [Connection?]] = [:]
  /// Of every attached node, what stands before the input buses that were ever connected.
  private var entrances: [ObjectIdentifier: [Int: Entrance]] = [:]
  /// How many inputs a node feeds, where it is any.
  private var fanOuts: [ObjectIdentifier: Int] = [:]

  public init() {}

  /// Adds a node, unconnected.
  public mutating func attach(_ node: any AudioNode) throws(GraphError) {
    guard !isAttached(node) else { throw .alreadyAttached(node: node.name) }
    nodes.append(node)
    feeds[ObjectIdentifier(node)] = []
  }

  /// Removes a node and its connections.
  public mutating func detach(_ node: any AudioNode) throws(GraphError) {
    try requireAttached(node)
    removeConnections { $0.source.node === node || $0.destination.node === node }
    nodes.removeAll { $0 === node }
    feeds[ObjectIdentifier(node)] = nil
    entrances[ObjectIdentifier(node)] = nil
    fanOuts[ObjectIdentifier(node)] = nil
  }

  /// Lets an output bus feed an input bus.
  public mutating func connect(
    _ source: any AudioNode, to destination: any AudioNode, fromBus sourceBus: Int = 0, toBus destinationBus: Int = 0
  ) throws(GraphError) {
    let output = try end(of: source, .output, bus: sourceBus)
    let input = try end(of: destination, .input, bus: destinationBus)
    if let feeding = self.source(of: input) { throw .inputTaken(input: "\(input)", by: "\(feeding)") }
    if let path = cycle(closedBy: source, to: destination) { throw .cycle(path: path.map(\.name)) }
    let connection = Connection(source: output, destination: input, entrance: entrance(before: input))
    connections.append(connection)
    setFeed(of: input, connection)
    fanOuts[ObjectIdentifier(source), default: 0] += 1
  }

  /// Frees an input bus.
  public mutating func disconnect(input node: any AudioNode, bus: Int = 0) throws(GraphError) {
    // Not `end(of:)`: a bus that its node has done away with meanwhile must be freed as well.
    try requireAttached(node)
    let input = BusEnd(node: node, scope: .input, bus: bus)
    guard source(of: input) != nil else {
      _ = try end(of: node, .input, bus: bus)
      throw .notConnected(input: "\(input)")
    }
    removeConnections { $0.destination == input }
  }

  /// Puts a node in the place of another, with all its connections. This is how a render callback is changed.
  public mutating func replace(_ old: any AudioNode, with new: any AudioNode) throws(GraphError) {
    try requireAttached(old)
    guard !isAttached(new) else { throw .alreadyAttached(node: new.name) }
    var edited = self
    edited.removeConnections { $0.source.node === old || $0.destination.node === old }
    edited.nodes = nodes.map { $0 === old ? new : $0 }
    edited.feeds[ObjectIdentifier(old)] = nil
    edited.entrances[ObjectIdentifier(old)] = nil
    edited.feeds[ObjectIdentifier(new)] = []
    for connection in connections where connection.source.node === old || connection.destination.node === old {
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
      node.outputBusCount == 0 && feeds[ObjectIdentifier(node)]?.contains { $0 != nil } ?? false
    }
  }

  /// The output node that was attached first.
  var outputNode: (any AudioNode)? { nodes.first { $0.deviceChannelCount != nil } }

  /// What feeds an input bus.
  public func source(of input: BusEnd) -> BusEnd? { connection(to: input.node, bus: input.bus)?.source }

  /// What feeds each input bus of a node.
  func sources(of node: any AudioNode) -> [BusEnd?] { feeds(of: node).map { $0?.source } }

  /// The connection to each input bus of a node.
  func feeds(of node: any AudioNode) -> [Connection?] {
    (0..<max(0, node.inputBusCount)).map { connection(to: node, bus: $0) }
  }

  /// Whether anything hears a node.
  func isHeard(_ node: any AudioNode) -> Bool { fanOuts[ObjectIdentifier(node), default: 0] > 0 }

  private mutating func entrance(before input: BusEnd) -> Entrance {
    if let entrance = entrances[ObjectIdentifier(input.node)]?[input.bus] { return entrance }
    let entrance = Entrance()
    entrances[ObjectIdentifier(input.node), default: [:]][input.bus] = entrance
    return entrance
  }

  private func connection(to node: any AudioNode, bus: Int) -> Connection? {
    guard let inputs = feeds[ObjectIdentifier(node)], inputs.indices.contains(bus) else { return nil }
    return inputs[bus]
  }

  private mutating func setFeed(of input: BusEnd, _ connection: Connection?) {
    var inputs = feeds[ObjectIdentifier(input.node)] ?? []
    while inputs.count <= input.bus { inputs.append(nil) }
    inputs[input.bus] = connection
    feeds[ObjectIdentifier(input.node)] = inputs
  }

  private mutating func removeConnections(where shouldRemove: (Connection) -> Bool) {
    for connection in connections where shouldRemove(connection) {
      setFeed(of: connection.destination, nil)
      fanOuts[ObjectIdentifier(connection.source.node), default: 1] -= 1
    }
    connections.removeAll(where: shouldRemove)
  }

  private func isAttached(_ node: any AudioNode) -> Bool { feeds[ObjectIdentifier(node)] != nil }

  private func requireAttached(_ node: any AudioNode) throws(GraphError) {
    guard isAttached(node) else { throw .notAttached(node: node.name) }
  }

  private func end(of node: any AudioNode, _ scope: BusScope, bus: Int) throws(GraphError) -> BusEnd {
    try requireAttached(node)
    let count = scope == .input ? node.inputBusCount : node.outputBusCount
    guard bus >= 0, bus < count else {
      throw .noSuchBus(node: node.name, scope: scope, bus: bus, count: count)
    }
    return BusEnd(node: node, scope: scope, bus: bus)
  }
}
