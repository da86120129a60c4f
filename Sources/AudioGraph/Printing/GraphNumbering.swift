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
