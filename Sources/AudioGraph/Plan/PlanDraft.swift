import SynthText

/// What is to be rendered and in which formats, before it has kernels: validate → order → propagate formats.
///
/// Whatever can be refused is refused here, before any node makes a kernel: a refused edit leaves them as they are.
struct PlanDraft {
  /// In the order of rendering.
  private(set) var nodes: [PlannedNode] = []
  /// The output node's place; nil without one.
  private(set) var outputNode: Int?
  private let graph: Graph
  private let sampleRate: Double
  private var places: [ObjectIdentifier: Int] = [:]

  init(_ graph: Graph, sampleRate: Double) throws(GraphError) {
    self.graph = graph
    self.sampleRate = sampleRate
    let outputs = graph.nodes.filter { $0.deviceChannelCount != nil }
    guard outputs.count <= 1 else { throw .outputNodes(count: outputs.count) }
    for connection in graph.connections {
      try Self.requireBus(connection.source, count: connection.source.node.outputBusCount)
      try Self.requireBus(connection.destination, count: connection.destination.node.inputBusCount)
    }
    for node in PullOrder(graph, roots: outputs + graph.connectedSinks).nodes { try add(node) }
    for index in nodes.indices where nodes[index].node.inputTiming == .delayed { try feedDelayed(index) }
    outputNode = outputs.first.flatMap { places[ObjectIdentifier($0)] }
  }

  private static func requireBus(_ end: BusEnd, count: Int) throws(GraphError) {
    guard end.bus < count else { throw .busGone(bus: "\(end)", count: count) }
  }

  private mutating func add(_ node: any AudioNode) throws(GraphError) {
    let isDelayed = node.inputTiming == .delayed
    var sources: [PlannedSource?] = []
    for connection in graph.feeds(of: node) { sources.append(isDelayed ? nil : try source(connection)) }
    let inputs = sources.map { $0.map(format) }
    let formats = BusFormats(
      inputs: inputs, outputs: try outputFormats(of: node, inputs: inputs), unitSampleRate: sampleRate)
    places[ObjectIdentifier(node)] = nodes.count
    let isAligned = (node as? any AligningNode)?.alignsInputs ?? false
    let alignments = isAligned ? graph.feeds(of: node).map { $0?.entrance.alignment } : []
    nodes.append(
      PlannedNode(node: node, isImplicit: false, sources: sources, formats: formats, alignments: alignments))
    try checkRates(nodes.count - 1)
  }

  /// A delayed node's sources are known only now: they may come after it.
  private mutating func feedDelayed(_ index: Int) throws(GraphError) {
    let node = nodes[index].node
    let sources = graph.sources(of: node).map { $0.flatMap(place) }
    let inputs = sources.map { $0.map(format) }
    _ = try outputFormats(of: node, inputs: inputs)
    nodes[index].sources = sources
    nodes[index].formats = BusFormats(inputs: inputs, outputs: nodes[index].formats.outputs, unitSampleRate: sampleRate)
    try checkRates(index)
  }

  /// What a connection brings to its destination, by way of its converter if the destination wants another format.
  private mutating func source(_ connection: Connection?) throws(GraphError) -> PlannedSource? {
    guard let connection, let source = place(connection.source) else { return nil }
    let destination = connection.destination
    let offered = format(source)
    let wanted = destination.node.inputFormat(bus: destination.bus, offered: offered, sampleRate: sampleRate)
    guard wanted != offered else { return source }
    do {
      try ConverterNode.validate(from: offered, to: wanted, unit: sampleRate)
    } catch {
      throw mismatch(error, from: "\(connection.source)", to: destination)
    }
    let formats = BusFormats(inputs: [offered], outputs: [wanted], unitSampleRate: sampleRate)
    let converter = connection.entrance.converter
    nodes.append(PlannedNode(node: converter, isImplicit: true, sources: [source], formats: formats))
    return PlannedSource(node: nodes.count - 1, bus: 0)
  }

  private func place(_ end: BusEnd) -> PlannedSource? {
    places[ObjectIdentifier(end.node)].map { PlannedSource(node: $0, bus: end.bus) }
  }

  private func format(_ source: PlannedSource) -> AudioFormat { nodes[source.node].formats.outputs[source.bus] }

  private func outputFormats(of node: any AudioNode, inputs: [AudioFormat?]) throws(GraphError) -> [AudioFormat] {
    let outputs: [AudioFormat]
    do {
      outputs = try node.outputFormats(inputs: inputs, sampleRate: sampleRate)
    } catch {
      let source = graph.source(of: BusEnd(node: node, scope: .input, bus: error.bus))
      throw mismatch(
        error, from: source?.description ?? "nothing", to: BusEnd(node: node, scope: .input, bus: error.bus))
    }
    try FormatCheck.outputs(outputs, of: node)
    return outputs
  }

  private func checkRates(_ index: Int) throws(GraphError) {
    let planned = nodes[index]
    // A node that converts has one rate on all its inputs, too.
    guard let rate = planned.node.inputTiming == .otherRate ? planned.inputRate : planned.sampleRate else { return }
    for (bus, format) in planned.formats.inputs.enumerated() {
      guard let format, format.sampleRate != rate else { continue }
      let refusal = FormatRefusal(
        bus: bus, reason: "it runs at \(hertz(format.sampleRate)), \(planned.node.name) at \(hertz(rate))",
        remedy: "put a converter between them")
      let source = planned.sources[bus].map { nodes[$0.node].outputEnd($0.bus).description } ?? "nothing"
      throw mismatch(refusal, from: source, to: planned.inputEnd(bus))
    }
  }

  private func mismatch(_ refusal: FormatRefusal, from source: String, to destination: BusEnd) -> GraphError {
    .formatMismatch(
      source: source, destination: destination.description, reason: refusal.reason, remedy: refusal.remedy)
  }
}

/// The nodes that are pulled, every one after all whose output of the same quantum it needs: the recursive pull's
/// order, found without recursion, since a chain may be longer than a thread's stack is deep.
struct PullOrder {
  private(set) var nodes: [any AudioNode] = []
  private let graph: Graph
  private var visited: Set<ObjectIdentifier> = []
  /// What delayed nodes take after they have rendered.
  private var later: [any AudioNode] = []
  /// The way down from the root to where the search is.
  private var path: [(node: any AudioNode, upstream: [any AudioNode])] = []

  init(_ graph: Graph, roots: [any AudioNode]) {
    self.graph = graph
    for root in roots { search(from: root) }
    while let node = later.popLast() { search(from: node) }
  }

  private mutating func search(from root: any AudioNode) {
    visit(root)
    while let node = path.last?.node {
      if let next = path[path.count - 1].upstream.popLast() {
        visit(next)
      } else {
        nodes.append(node)
        path.removeLast()
      }
    }
  }

  private mutating func visit(_ node: any AudioNode) {
    guard visited.insert(ObjectIdentifier(node)).inserted else { return }
    let upstream = graph.sources(of: node).reversed().compactMap { $0?.node }
    if node.inputTiming == .delayed {
      later += upstream
      path.append((node, []))
    } else {
      path.append((node, upstream))
    }
  }
}

/// What can be rendered at all: a node's own word on its output buses is not taken on trust.
enum FormatCheck {
  /// In hertz.
  static let sampleRates = 1.0...1_000_000
  static let channelCounts = 1...1024

  static func outputs(_ formats: [AudioFormat], of node: any AudioNode) throws(GraphError) {
    guard formats.count == node.outputBusCount else {
      throw unfit(
        node,
        "it gives \(NumberFormatting.count(formats.count, "format", "formats")) for "
          + "\(NumberFormatting.count(node.outputBusCount, "output bus", "output buses")); give one for each")
    }
    for format in formats {
      guard sampleRates.contains(format.sampleRate) else {
        throw unfit(node, "its output would run at \(hertz(format.sampleRate)); choose 1 Hz to 1 MHz")
      }
      guard channelCounts.contains(format.channelCount) else {
        throw unfit(node, "its output would have \(format.channelCount) channels; choose 1 to 1024")
      }
      guard format.sampleRate == formats[0].sampleRate else {
        throw unfit(node, "its outputs differ in rate; a node renders at one rate")
      }
    }
  }

  private static func unfit(_ node: any AudioNode, _ reason: String) -> GraphError {
    .unfitOutput(node: node.name, reason: reason)
  }
}
