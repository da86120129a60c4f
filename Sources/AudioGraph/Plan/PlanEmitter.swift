import SynthRealtime

/// Writes a plan down in memory: every step with its kernel and the buses it reads and writes. [control thread]
struct PlanEmitter {
  let graph: CompiledGraph
  let order: StepOrder
  let buffers: BufferAssignment
  /// The output unit's rate, in hertz.
  let sampleRate: Double

  func emit(epoch: Int, successor: RenderPlan?) -> RenderPlan {
    let memory = PlanMemory(
      groupCount: order.groups.count,
      stepCount: order.steps.count,
      tableCount: graph.nodes.reduce(0) { $0 + $1.sources.count + $1.formats.outputs.count },
      busCount: buffers.busCount + 1,
      channelCount: buffers.channelCount + 1)
    let silence = placeBuses(in: memory)
    var table = memory.busTable
    var end = memory.steps
    var groups: [RenderGroup] = []
    for (index, group) in order.groups.enumerated() {
      let (first, quantum) = (end, memory.quanta + index)
      let ratio = RateRatio(group.sampleRate, over: sampleRate)
      quantum.initialize(to: GroupQuantum(framesPerFrame: ratio))
      for step in group.steps {
        let context = self.context(of: step, in: memory, at: &table, silence: silence, quantum)
        let kernel = graph.kernels[step.node]
        let entry = step.action == .render ? kernel.entry : kernel.intake ?? { _, _ in }
        end.initialize(to: RenderStep(context: context, entry: entry, state: kernel.state))
        end += 1
      }
      groups.append(
        RenderGroup(
          quantaPerQuantum: ratio, quantum: quantum, firstStep: first - memory.steps, endStep: end - memory.steps))
    }
    return RenderPlan(
      memory: memory, kernels: graph.kernels, groups: groups,
      destination: graph.outputNode.map { memory.buses + buffers[PlannedSource(node: $0, bus: 0)].bus } ?? silence,
      bufferCount: buffers.bufferCount, epoch: epoch,
      fadeQuantumCount: graph.fades.map { $0.quantumCount(unit: sampleRate) }.max() ?? 0, successor: successor)
  }

  /// Gives every output bus its buffer. The last bus and the last channel are the silence that every unconnected input
  /// hears.
  private func placeBuses(in memory: PlanMemory) -> UnsafeMutablePointer<BusBuffer> {
    for (index, node) in graph.nodes.enumerated() {
      for (bus, format) in node.formats.outputs.enumerated() {
        let place = buffers[PlannedSource(node: index, bus: bus)]
        let samples = memory.samples(atChannel: place.buffer.firstChannel)
        (memory.buses + place.bus)
          .initialize(to: BusBuffer(samples: samples, channelCount: format.channelCount, isSilent: false))
      }
    }
    let silence = memory.buses + buffers.busCount
    silence.initialize(
      to: BusBuffer(samples: memory.samples(atChannel: buffers.channelCount), channelCount: 0, isSilent: true))
    return silence
  }

  /// The buses of a step: all of the node's, unless it takes its input and renders in two.
  private func context(
    of step: StepOrder.Step, in memory: PlanMemory,
    at table: inout UnsafeMutablePointer<UnsafeMutablePointer<BusBuffer>>, silence: UnsafeMutablePointer<BusBuffer>,
    _ quantum: UnsafeMutablePointer<GroupQuantum>
  ) -> RenderContext {
    let node = graph.nodes[step.node]
    let inputs = node.isSplit && step.action == .render ? [] : node.sources
    let outputs = step.action == .render ? node.formats.outputs.count : 0
    let start = table
    for source in inputs {
      table.initialize(to: source.map { memory.buses + buffers[$0].bus } ?? silence)
      table += 1
    }
    for bus in 0..<outputs {
      table.initialize(to: memory.buses + buffers[PlannedSource(node: step.node, bus: bus)].bus)
      table += 1
    }
    return RenderContext(inputs: inputs.count, outputs: outputs, buses: start, quantum: quantum)
  }
}
