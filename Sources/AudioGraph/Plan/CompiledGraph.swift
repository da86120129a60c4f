/// A graph that can be rendered: its nodes in the order of rendering, each with its kernel. [control thread]
struct CompiledGraph: Sendable {
  private(set) var nodes: [PlannedNode]
  /// One per node.
  private(set) var kernels: [Kernel]
  /// Which of the nodes feeds the device; nil where none does.
  private(set) var outputNode: Int?
  /// Those of the nodes that fade.
  private(set) var fades: [FadeNode] = []

  /// Makes the kernels, or takes the present ones where they can go on.
  init(_ draft: PlanDraft) {
    nodes = draft.nodes
    kernels = draft.nodes.map { $0.node.kernel(for: $0.formats) }
    outputNode = draft.outputNode
    align()
  }

  /// Adds a node, which the order of rendering then has to be found for.
  mutating func append(_ node: PlannedNode, _ kernel: Kernel) -> Int {
    nodes.append(node)
    kernels.append(kernel)
    return nodes.count - 1
  }

  /// Puts a node of one input and one output before an input bus of another.
  mutating func place(_ inserted: PlannedNode, _ kernel: Kernel, before node: Int, bus: Int) {
    let place = append(inserted, kernel)
    nodes[node].feed(bus, from: PlannedSource(node: place, bus: 0), format: inserted.formats.outputs[0])
  }

  /// Gives a node's sources other places.
  mutating func renumber(_ node: Int, _ place: (Int) -> Int) { nodes[node] = nodes[node].renumbered(place) }

  /// Puts a fade before an input bus of a node, or before the device.
  ///
  /// - Parameters:
  ///   - before: what fades out there.
  ///   - after: what fades in.
  ///   - node: nil is the device.
  ///   - lead: how long what fades in needs before it gives what it is given, in seconds.
  mutating func fade(from before: PlannedSource?, to after: PlannedSource?, _ node: Int?, bus: Int, lead: Double) {
    guard let source = after ?? before else { return }
    let format = nodes[source.node].formats.outputs[source.bus]
    let fade = FadeNode(sampleRate: format.sampleRate, lead: lead)
    let formats = BusFormats(
      inputs: [before, after].map { $0.map { _ in format } }, outputs: [format],
      unitSampleRate: nodes[source.node].formats.unitSampleRate)
    let place = append(
      PlannedNode(node: fade, isImplicit: true, sources: [before, after], formats: formats), fade.kernel)
    fades.append(fade)
    if let node {
      nodes[node].feed(bus, from: PlannedSource(node: place, bus: 0), format: format)
    } else {
      outputNode = place
    }
  }

  /// The same nodes, each after those whose output of the same quantum it needs; nil where they form a loop.
  var sorted: CompiledGraph? {
    guard let order = Self.order(nodes.map { $0.node.inputTiming == .delayed ? [] : $0.sources }) else { return nil }
    var place = [Int](repeating: 0, count: nodes.count)
    for (new, old) in order.enumerated() { place[old] = new }
    var sorted = self
    sorted.nodes = order.map { nodes[$0].renumbered { place[$0] } }
    sorted.kernels = order.map { kernels[$0] }
    sorted.outputNode = outputNode.map { place[$0] }
    return sorted
  }

  /// Along the longest path to the output, in frames of the output unit, whose rate is in hertz. A loop counts once.
  func latency(sampleRate: Double) -> Int {
    guard let outputNode else { return 0 }
    // Without a loop every delay comes after what feeds it; with one, all delays come first.
    let order = Self.order(nodes.map(\.sources)) ?? Array(nodes.indices)
    var seconds = [Double](repeating: 0, count: nodes.count)
    for index in order {
      let upstream = nodes[index].sources.map { $0.map { seconds[$0.node] } ?? 0 }.max() ?? 0
      seconds[index] = upstream + Double(nodes[index].node.latency) / nodes[index].sampleRate
    }
    // A whole number of frames survives the division by its rate.
    return Int((seconds[outputNode] * sampleRate - 1e-6).rounded(.up))
  }

  /// An order in which all of a node's sources come before it; nil if there is none.
  private static func order(_ sources: [[PlannedSource?]]) -> [Int]? {
    let sources = sources.map { $0.compactMap { $0?.node } }
    var readers = [[Int]](repeating: [], count: sources.count)
    for (node, sources) in sources.enumerated() { for source in sources { readers[source].append(node) } }
    var missing = sources.map(\.count)
    var order = sources.indices.filter { missing[$0] == 0 }
    var done = 0
    while done < order.count {
      for reader in readers[order[done]] {
        missing[reader] -= 1
        if missing[reader] == 0 { order.append(reader) }
      }
      done += 1
    }
    return order.count == sources.count ? order : nil
  }

  /// Writes the plan down: order steps → assign buffers → emit.
  ///
  /// - Parameters:
  ///   - sampleRate: the output unit's, in hertz.
  ///   - successor: what is rendered when the fades are over.
  func plan(sampleRate: Double, epoch: Int, successor: RenderPlan?) -> RenderPlan {
    let order = StepOrder(nodes, sampleRate: sampleRate)
    let buffers = BufferAssignment(nodes, outputNode: outputNode, steps: order.steps)
    return PlanEmitter(graph: self, order: order, buffers: buffers, sampleRate: sampleRate)
      .emit(epoch: epoch, successor: successor)
  }
}

/// A node of a plan that is being compiled.
struct PlannedNode {
  let node: any AudioNode
  /// Whether the graph itself added it: the converter of a connection.
  let isImplicit: Bool
  /// What feeds each input bus.
  var sources: [PlannedSource?]
  var formats: BusFormats
  /// For each input bus where its delay is kept; empty for a node that does not want its inputs aligned.
  var alignments: [AlignmentSlot?] = []

  /// The rate it renders at, in hertz.
  var sampleRate: Double { formats.sampleRate }

  /// Whether it takes its input in its own step.
  var isSplit: Bool {
    switch node.inputTiming {
    case .sameQuantum: false
    case .otherRate: inputRate != nil && inputRate != sampleRate
    case .delayed: true
    }
  }

  /// The rate of what is connected, in hertz.
  var inputRate: Double? { formats.inputs.lazy.compactMap(\.self).first?.sampleRate }

  /// Connects an input bus.
  mutating func feed(_ bus: Int, from source: PlannedSource, format: AudioFormat) {
    sources[bus] = source
    var inputs = formats.inputs
    inputs[bus] = format
    formats = BusFormats(inputs: inputs, outputs: formats.outputs, unitSampleRate: formats.unitSampleRate)
  }

  /// The same node where the others have other places.
  func renumbered(_ place: (Int) -> Int) -> PlannedNode {
    var node = self
    node.sources = sources.map { $0.map { PlannedSource(node: place($0.node), bus: $0.bus) } }
    return node
  }

  func outputEnd(_ bus: Int) -> BusEnd { BusEnd(node: node, scope: .output, bus: bus) }
  func inputEnd(_ bus: Int) -> BusEnd { BusEnd(node: node, scope: .input, bus: bus) }
}

/// An output bus of a planned node.
struct PlannedSource: Hashable {
  /// Which of the planned nodes.
  let node: Int
  let bus: Int
}
