import Realtime

/// A graph that renders, and can be edited while it does.
///
/// It is pulled by one at a time: by its output unit between `start` and `stop`, by whoever renders by hand, by another
/// engine of which it is a node, or by whoever holds a lease. Live and offline are the same code.
///
/// A slice may have any size: it is rendered in quanta of `renderQuantum` frames, which is the most that a kernel or a
/// render callback is ever asked for at a time. So there is no maximum of frames per slice that could be exceeded.
public final class AudioEngine: Sendable {
  /// In hertz; the output unit's own rate.
  public let sampleRate: Double
  /// What starts and stops the flow; nil where it is rendered by hand, or is a node of another engine.
  public let outputUnit: (any OutputUnit)?

  let control = ControlLock(EngineControl())
  let puller = PullerClaim()
  /// Its address is the context of the output's render callback.
  let renderer: StateMemory<Renderer>
  let schedule = ParameterSchedule()
  /// Written under `control` only.
  let published = Guarded(PublishedEngine())
  private let plans = Handoff<RenderPlan>()

  /// An engine that is rendered by hand, or is to be a node of another one.
  public init(sampleRate: Double) {
    self.sampleRate = sampleRate
    outputUnit = nil
    renderer = StateMemory(Renderer(plans: plans.receiver, changes: schedule.receiver))
  }

  /// An engine that an output unit starts and stops; it can be rendered by hand while it is stopped.
  public init(output: any OutputUnit) {
    sampleRate = output.sampleRate
    outputUnit = output
    renderer = StateMemory(Renderer(plans: plans.receiver, changes: schedule.receiver))
  }

  deinit {
    // What failed before is told to nobody any more.
    if state == .running { try? outputUnit?.stop() }
    NodeOwners.release(graph.nodes)
  }

  /// The graph as it was last edited; during an edit, as it was before. [any thread but the audio thread]
  public var graph: Graph { published.withLock { $0.graph } }

  /// Changes the graph; all of it takes effect between two quanta, or nothing does. [control threads]
  ///
  /// What an edit leaves without a way to the output or to a sink is rendered no more, and begins anew, as by its `reset`,
  /// when a later one gives it a way again: old sound is never heard twice.
  ///
  /// - Throws: `GraphError` for what is wrong with the edit or with the graph it would leave, `EngineError`, and whatever
  ///   else `change` throws. The graph is then as it was.
  public func edit(_ change: (inout Graph) throws -> Void) throws {
    try control.withLock { control in
      var edited = graph
      try change(&edited)
      try publish(edited, control)
    }
  }

  /// Begins anew between two quanta: delay lines, filters and phases are empty, and the sample time is 0. What sounds is
  /// cut off. What render callbacks remember is theirs. [control threads]
  ///
  /// - Throws: `EngineError`, `GraphError` where nodes have changed so that the graph cannot be rendered any more, or what
  ///   a node has against it. The engine then goes on as it was, but nodes may begin anew at the next edit.
  public func reset() throws {
    try control.withLock { try reset(&$0) }
  }

  /// Frees what edits have replaced, as far as the audio thread is done with it. [control threads]
  ///
  /// Every edit does so too; call it where memory, a callback's context, or a node that is to go to another engine must
  /// not wait for the next one.
  ///
  /// - Returns: whether the audio thread is done with all of it, so that what was detached will not be called again.
  @discardableResult
  public func collect() throws -> Bool {
    try control.withLock { _ in
      // Where nobody renders, nobody else adopts.
      whileNobodyRenders { $0.adopt() }
      return plans.collect()
    }
  }

  func reset(_ control: inout EngineControl) throws {
    let graph = graph
    for node in graph.nodes { try node.reset() }
    for connection in graph.connections { connection.converter.reset() }
    schedule.cancelAll()
    control.epoch += 1
    if !graph.nodes.isEmpty { try publish(graph, control) }
    whileNobodyRenders { $0.discardLeftover() }
  }

  /// Runs `body` if it can be sure that nobody renders. Under `control`, so that nothing starts meanwhile.
  private func whileNobodyRenders(_ body: (inout Renderer) -> Void) {
    guard state != .paused else { return body(&renderer.pointer.pointee) }
    puller.whileFree { body(&renderer.pointer.pointee) }
  }

  private func publish(_ graph: Graph, _ control: EngineControl) throws {
    if let node = graph.nodes.lazy.compactMap({ $0 as? GraphNode }).first(where: { $0.engine.contains(self) }) {
      throw EngineError.withinItself(node: node.name)
    }
    // Before any node makes a kernel: a refused edit leaves them as they are.
    if let output = graph.outputNode { try check(channelCount: output.channelCount, control) }
    let (plan, nodes) = try compile(graph)
    plan.epoch = control.epoch
    plans.send(plan)
    // What was detached goes only when the lock is free again: nodes may do what they like when they go.
    var next = PublishedEngine(
      graph: graph, streamingNodes: graph.nodes.compactMap { $0 as? any StreamingNode }, renderedNodes: nodes,
      state: state)
    published.withLock { swap(&$0, &next) }
    let rendered = Set(nodes.map { ObjectIdentifier($0) })
    // The edit is made: a node that cannot begin anew goes on.
    for node in next.renderedNodes where !rendered.contains(ObjectIdentifier(node)) { try? node.reset() }
    // After that, for another engine is to get a kernel of its own.
    let kept = Set(graph.nodes.map { ObjectIdentifier($0) })
    NodeOwners.release(next.graph.nodes.filter { !kept.contains(ObjectIdentifier($0)) })
  }

  private func compile(_ graph: Graph) throws(GraphError) -> (plan: RenderPlan, nodes: [any AudioNode]) {
    let claimed = try NodeOwners.claim(graph.nodes, for: self)
    do throws(GraphError) {
      return try PlanCompiler(graph: graph, sampleRate: sampleRate).compile()
    } catch {
      NodeOwners.release(claimed)
      throw error
    }
  }

  /// Whether it is the engine itself, or has it as a node, or as a node of a node.
  private func contains(_ engine: AudioEngine) -> Bool {
    self === engine || graph.nodes.contains { ($0 as? GraphNode)?.engine.contains(engine) == true }
  }

  private func check(channelCount: Int, _ control: EngineControl) throws(EngineError) {
    if let outputUnit, outputUnit.channelCount != channelCount {
      throw .channelCount(outputNode: channelCount, player: outputUnit.name, channels: outputUnit.channelCount)
    }
    if let outer = control.outer, puller.present == .outerEngine, outer.channelCount != channelCount {
      throw .channelCount(outputNode: channelCount, player: outer.name, channels: outer.channelCount)
    }
  }
}

/// What edits and the life cycle go by.
struct EngineControl: Sendable {
  /// How often the engine was reset.
  var epoch = 0
  /// The node that another engine has of this one, once there was any.
  var outer: (name: String, channelCount: Int)?
}

/// What anybody may see of an engine while it is edited.
struct PublishedEngine: Sendable {
  var graph = Graph()
  var streamingNodes: [any StreamingNode] = []
  /// The nodes of the plan, converters of connections among them.
  var renderedNodes: [any AudioNode] = []
  var state = EngineState.stopped
}
