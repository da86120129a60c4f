import Realtime

/// Compiles a graph into a render plan: validate → order → propagate formats → assign buffers → emit. [control thread]
struct PlanCompiler {
  let graph: Graph
  /// The output unit's rate, in hertz.
  let sampleRate: Double

  func compile() throws(GraphError) -> RenderPlan {
    let nodes = postOrder(from: try soleOutput())
    let formats = try propagate(through: nodes)
    return emit(nodes, formats, BufferAssignment(nodes: nodes, formats: formats, graph: graph))
  }

  private func soleOutput() throws(GraphError) -> any AudioNode {
    let outputs = graph.nodes.filter { $0 is OutputNode }
    guard outputs.count == 1 else { throw .outputNodes(count: outputs.count) }
    return outputs[0]
  }

  /// What the sinks and, last, the output pull: every node after all that feed it. What they do not reach is not rendered.
  private func postOrder(from output: any AudioNode) -> [any AudioNode] {
    var visited: Set<ObjectIdentifier> = []
    var order: [any AudioNode] = []
    func visit(_ node: any AudioNode) {
      guard visited.insert(ObjectIdentifier(node)).inserted else { return }
      for source in graph.sources(of: node).compactMap(\.self) { visit(source.node) }
      order.append(node)
    }
    for sink in graph.connectedSinks { visit(sink) }
    visit(output)
    return order
  }

  /// From outputs to the inputs they feed, in that direction only.
  private func propagate(through nodes: [any AudioNode]) throws(GraphError) -> [BusFormats] {
    var outputFormats: [ObjectIdentifier: [AudioFormat]] = [:]
    var all: [BusFormats] = []
    for node in nodes {
      let sources = graph.sources(of: node)
      let inputs = sources.map { source in source.flatMap { outputFormats[ObjectIdentifier($0.node)]?[$0.bus] } }
      do {
        let outputs = try node.outputFormats(inputs: inputs, sampleRate: sampleRate)
        outputFormats[ObjectIdentifier(node)] = outputs
        all.append(BusFormats(inputs: inputs, outputs: outputs, sampleRate: sampleRate))
      } catch {
        throw mismatch(error, at: node, source: sources.indices.contains(error.bus) ? sources[error.bus] : nil)
      }
    }
    return all
  }

  private func mismatch(_ refusal: FormatRefusal, at node: any AudioNode, source: BusEnd?) -> GraphError {
    .formatMismatch(
      source: source?.description ?? "nothing",
      destination: BusEnd(node: node, scope: .input, bus: refusal.bus).description,
      reason: refusal.reason, remedy: refusal.remedy)
  }

  private func emit(_ nodes: [any AudioNode], _ formats: [BusFormats], _ buffers: BufferAssignment) -> RenderPlan {
    let memory = PlanMemory(
      stepCount: nodes.count,
      tableCount: zip(nodes, formats).reduce(0) { $0 + $1.0.inputBusCount + $1.1.outputs.count },
      busCount: buffers.busCount + 1,
      channelCount: buffers.channelCount + 1)
    // The last bus and the last channel are the silence that every unconnected input hears.
    let silence = memory.buses + buffers.busCount
    silence.initialize(
      to: BusBuffer(samples: memory.samples(atChannel: buffers.channelCount), channelCount: 0, isSilent: true))

    var kernels: [Kernel] = []
    var table = memory.busTable
    for (index, node) in nodes.enumerated() {
      let sources = graph.sources(of: node)
      for (bus, source) in sources.enumerated() {
        (table + bus).initialize(to: source.map { memory.buses + buffers.busIndex(of: $0) } ?? silence)
      }
      for (bus, format) in formats[index].outputs.enumerated() {
        let end = BusEnd(node: node, scope: .output, bus: bus)
        let buffer = memory.buses + buffers.busIndex(of: end)
        let samples = memory.samples(atChannel: buffers.firstChannel(of: end))
        buffer.initialize(to: BusBuffer(samples: samples, channelCount: format.channelCount, isSilent: false))
        (table + sources.count + bus).initialize(to: buffer)
      }
      let kernel = node.kernel(for: formats[index])
      let context = RenderContext(inputs: sources.count, outputs: formats[index].outputs.count, buses: table)
      (memory.steps + index).initialize(to: RenderStep(context: context, entry: kernel.entry, state: kernel.state))
      kernels.append(kernel)
      table += sources.count + formats[index].outputs.count
    }
    let destination = memory.buses + buffers.busIndex(of: BusEnd(node: nodes[nodes.count - 1], scope: .output, bus: 0))
    return RenderPlan(
      memory: memory, kernels: kernels, destination: destination, bufferCount: buffers.bufferCount)
  }
}

extension Graph {
  /// What feeds each input bus of a node.
  func sources(of node: any AudioNode) -> [BusEnd?] {
    (0..<node.inputBusCount).map { source(of: BusEnd(node: node, scope: .input, bus: $0)) }
  }
}
