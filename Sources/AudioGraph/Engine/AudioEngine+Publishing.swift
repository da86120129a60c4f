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
