import SynthRealtime

/// What an edit does to the sound of the places that it feeds otherwise than before.
public enum EditTransition: Sendable {
  /// What the edit takes away fades out, and what it brings fades in, over 10 ms.
  case faded
  /// The sound changes from one frame to the next.
  case exact
}

/// How a changed graph becomes a plan that renders.
extension AudioEngine {
  /// - Parameter transition: nil begins a new life of the engine, in which nothing has been heard yet.
  func publish(_ graph: Graph, _ control: inout EngineControl, _ transition: EditTransition?) throws {
    if let node = graph.nodes.first(where: { $0.innerEngine?.contains(self) == true }) {
      throw EngineError.withinItself(node: node.name)
    }
    guard FormatCheck.sampleRates.contains(sampleRate) else {
      throw GraphError.unfitOutput(
        node: "the engine", reason: "it would run at \(hertz(sampleRate)); choose 1 Hz to 1 MHz")
    }
    // Before any node makes a kernel: a refused edit leaves them as they are.
    if let count = graph.outputNode?.deviceChannelCount { try check(channelCount: count, control) }
    let draft = try draft(graph)

    let withdrawn = withdraw(&control)
    let playing = transition == nil || !hasRendered ? nil : control.playing
    control.rejoin(draft, graph)
    let compiled = CompiledGraph(draft)
    let stages = transition == .faded ? playing.map { Transition.stages(from: $0, to: compiled) } ?? [] : []
    let plan = plan(stages, then: compiled, epoch: control.epoch)
    plans.send(plan, count: stages.count + 1)

    // What was detached goes only when the lock is free again: nodes may do what they like when they go.
    let before = published.withLock { published in
      let before = published
      published.graph = graph
      published.renderedNodes = compiled.nodes.map(\.node)
      published.formats = Dictionary(
        compiled.nodes.map { (ObjectIdentifier($0.node), $0.formats) }, uniquingKeysWith: { first, _ in first })
      published.parameters = Set(graph.nodes.flatMap(\.parameters).map { ObjectIdentifier($0) })
      published.latency = compiled.latency(sampleRate: sampleRate)
      return before
    }
    control.edit += 1
    control.latest = compiled
    control.playing = stages.isEmpty && playing != nil ? compiled : playing
    // An edit without fades waits for those that are under way.
    let fading = stages.isEmpty ? control.leaving.last?.plan : plan
    let leaving = LeavingNodes(
      rendered: before.renderedNodes + (playing?.nodes.map(\.node) ?? []) + (withdrawn?.unrendered ?? []),
      attached: before.graph.nodes + (withdrawn?.detached ?? []), without: draft, graph, plan: fading,
      edit: control.edit)
    if fading == nil { leaving.letGo() } else { control.leaving.append(leaving) }
    publishStreamingNodes(control)
  }

  /// Frees what the audio thread is done with, and lets nodes go that have faded out.
  ///
  /// - Returns: whether it is done with all but the latest plan.
  func collect(_ control: inout EngineControl) -> Bool {
    if !plans.isPending { control.playing = control.latest }
    let isDone = plans.collect()
    let gone = control.leaving.filter { $0.plan == nil }
    control.leaving.removeAll { $0.plan == nil }
    for leaving in gone { leaving.letGo() }
    if !gone.isEmpty { publishStreamingNodes(control) }
    return isDone
  }

  private func publishStreamingNodes(_ control: EngineControl) {
    var nodes = (graph.nodes + control.leaving.flatMap(\.detached)).filter(\.isStreaming)
    streams.store(!nodes.isEmpty, ordering: .releasing)
    published.withLock { swap(&$0.streamingNodes, &nodes) }
  }

  /// Takes back the latest plan if the audio thread has not adopted it.
  ///
  /// - Returns: what its edit had taken away, if that is still to be let go.
  private func withdraw(_ control: inout EngineControl) -> LeavingNodes? {
    _ = collect(&control)
    guard plans.withdraw() else {
      control.playing = control.latest
      return nil
    }
    return control.leaving.last?.edit == control.edit ? control.leaving.removeLast() : nil
  }

  /// Whether anything has been heard in this life of the engine, as far as can be told.
  private var hasRendered: Bool {
    var hasRendered = true
    whileNobodyRenders { hasRendered = $0.hasRendered }
    return hasRendered
  }

  private func draft(_ graph: Graph) throws(GraphError) -> PlanDraft {
    let claimed = try NodeOwners.claim(graph.nodes, for: self)
    do throws(GraphError) {
      return try PlanDraft(graph, sampleRate: sampleRate)
    } catch {
      NodeOwners.release(claimed)
      throw error
    }
  }

  /// The plans of all stages, each followed by the next.
  private func plan(_ stages: [CompiledGraph], then last: CompiledGraph, epoch: Int) -> RenderPlan {
    var plan = last.plan(sampleRate: sampleRate, epoch: epoch, successor: nil)
    for stage in stages.reversed() { plan = stage.plan(sampleRate: sampleRate, epoch: epoch, successor: plan) }
    return plan
  }
}

/// What an edit has taken away, as long as it fades out. [control thread]
struct LeavingNodes: Sendable {
  /// What fades it out; nil once the audio thread is done with that.
  private(set) weak var plan: RenderPlan?
  /// Which edit it was.
  let edit: Int
  /// What is rendered no more.
  private(set) var unrendered: [any AudioNode]
  /// What no longer belongs to the engine.
  private(set) var detached: [any AudioNode]

  /// - Parameters:
  ///   - rendered: what has been rendered so far.
  ///   - attached: what has belonged to the engine so far.
  ///   - draft: what is rendered from now on.
  init(
    rendered: [any AudioNode], attached: [any AudioNode], without draft: PlanDraft, _ graph: Graph, plan: RenderPlan?,
    edit: Int
  ) {
    self.plan = plan
    self.edit = edit
    (unrendered, detached) = (rendered, attached)
    var seen: Set<ObjectIdentifier> = []
    unrendered.removeAll { !seen.insert(ObjectIdentifier($0)).inserted }
    _ = remove(draft, graph)
  }

  /// Removes what is rendered and attached again.
  ///
  /// - Returns: what is rendered again.
  mutating func remove(_ draft: PlanDraft, _ graph: Graph) -> [any AudioNode] {
    let rendered = Set(draft.nodes.map { ObjectIdentifier($0.node) })
    let attached = Set(graph.nodes.map { ObjectIdentifier($0) })
    let again = unrendered.filter { rendered.contains(ObjectIdentifier($0)) }
    unrendered.removeAll { rendered.contains(ObjectIdentifier($0)) }
    detached.removeAll { attached.contains(ObjectIdentifier($0)) }
    return again
  }

  /// Lets the nodes start over when they render again, and lets another engine attach them.
  func letGo() {
    // The edit is made: a node that cannot start over goes on.
    for node in unrendered { try? node.reset() }
    // After that, because another engine must get its own kernel.
    NodeOwners.release(detached)
  }
}

extension EngineControl {
  /// Lets nodes start over at once that render again before they have faded out.
  mutating func rejoin(_ draft: PlanDraft, _ graph: Graph) {
    for index in leaving.indices {
      for node in leaving[index].remove(draft, graph) { try? node.reset() }
    }
  }
}

/// Which engine has a node in its graph. It is one at a time, since a node has one kernel. [any thread]
enum NodeOwners {
  private struct Owner {
    let id: ObjectIdentifier
    let clock: Box<EngineClock>
  }

  private static let owners = CheckedMutex<[ObjectIdentifier: Owner]>([:])

  /// The clock of a node's engine; nil for a node that is in no engine's graph. Not the engine itself: a thread of a
  /// node must not be the last to let it go.
  static func clock(of node: ObjectIdentifier) -> Box<EngineClock>? { owners.withLock { $0[node]?.clock } }

  /// Enters all nodes for an engine, which may have some of them already; none if another engine has one.
  ///
  /// - Returns: those it had not.
  static func claim(_ nodes: [any AudioNode], for engine: AudioEngine) throws(GraphError) -> [any AudioNode] {
    let owner = Owner(id: ObjectIdentifier(engine), clock: engine.clock)
    var refused: (any AudioNode)?
    let claimed = owners.withLock { owners -> [any AudioNode] in
      refused = nodes.first { node in owners[ObjectIdentifier(node)].map { $0.id != owner.id } ?? false }
      guard refused == nil else { return [] }
      return nodes.filter { owners.updateValue(owner, forKey: ObjectIdentifier($0)) == nil }
    }
    if let refused { throw .inAnotherEngine(node: refused.name) }
    return claimed
  }

  /// Frees nodes that an engine has.
  static func release(_ nodes: [any AudioNode]) {
    owners.withLock { owners in for node in nodes { owners[ObjectIdentifier(node)] = nil } }
  }
}
