import Realtime

/// Compiles a graph into a render plan: draft → order steps → assign buffers → emit. [control thread]
///
/// Whatever can be refused is refused in the draft, before any node makes a kernel: a refused edit leaves them as they are.
struct PlanCompiler {
  let graph: Graph
  /// The output unit's rate, in hertz.
  let sampleRate: Double

  /// - Returns: the plan, and the nodes it renders.
  func compile() throws(GraphError) -> (plan: RenderPlan, nodes: [any AudioNode]) {
    let draft = try PlanDraft(graph, sampleRate: sampleRate)
    let order = StepOrder(draft.nodes, sampleRate: sampleRate)
    let buffers = BufferAssignment(draft, steps: order.steps)
    let plan = PlanEmitter(draft: draft, order: order, buffers: buffers, sampleRate: sampleRate).emit()
    return (plan, draft.nodes.map(\.node))
  }

  func describe() throws(GraphError) -> PlanDescription {
    let draft = try PlanDraft(graph, sampleRate: sampleRate)
    let steps = StepOrder(draft.nodes, sampleRate: sampleRate).steps
    return PlanDescription(draft, steps, BufferAssignment(draft, steps: steps))
  }
}
