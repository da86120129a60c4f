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
