import SynthRealtime

/// The recursive pull of a graph, written down once in post-order: a flat array of steps over assigned buffers.
///
/// The compiler fills it on the control thread; from its publication on only the audio thread touches its memory.
final class RenderPlan: @unchecked Sendable {
  /// What the device plays.
  let destination: UnsafeMutablePointer<BusBuffer>
  /// How many buffers serve all buses, the shared silence not counted.
  let bufferCount: Int
  /// Which life of the engine it belongs to; a new one begins at sample time 0.
  let epoch: Int
  /// How many quanta its fades take, after which its successor takes its place; 0 where it has none.
  let fadeQuantumCount: Int
  /// Retained, until the audio thread takes it.
  @exclusivity(unchecked) private var successor: Unmanaged<RenderPlan>?

  private let steps: UnsafeMutablePointer<RenderStep>
  private let groups: UnsafeMutablePointer<RenderGroup>
  private let groupCount: Int
  /// How many frames of the output's rate a group of another rate renders beyond a quantum of the output.
  let lookahead: Int64
  private let memory: PlanMemory
  private let kernels: [Kernel]

  /// - Parameter groups: the last is the output's.
  init(
    memory: PlanMemory, kernels: [Kernel], groups: [RenderGroup], destination: UnsafeMutablePointer<BusBuffer>,
    bufferCount: Int, epoch: Int, fadeQuantumCount: Int, successor: RenderPlan?
  ) {
    self.memory = memory
    self.kernels = kernels
    self.destination = destination
    self.bufferCount = bufferCount
    self.epoch = epoch
    self.fadeQuantumCount = fadeQuantumCount
    self.successor = successor.map(Unmanaged.passRetained)
    steps = memory.steps
    groupCount = groups.count
    lookahead = groups.dropLast().map(\.quantumLength).max() ?? 0
    self.groups = .allocate(capacity: groups.count)
    for (index, group) in groups.enumerated() { (self.groups + index).initialize(to: group) }
  }

  deinit {
    successor?.release()
    groups.deallocate()
  }

  /// Hands over the plan that follows it, once. [audio thread]
  @_noLocks
  func takeSuccessor() -> Unmanaged<RenderPlan>? {
    defer { successor = nil }
    return successor
  }

  /// Renders one quantum into `destination`. [audio thread]
  ///
  /// - Parameter changes: what kernels follow.
  @_noLocks
  func render(sampleTime: Int64, hostTime: UInt64, changes: UnsafePointer<ActiveChanges>?) {
    let quantum = sampleTime / Int64(renderQuantum)
    let own = groupCount &- 1
    for index in 0..<own {
      let group = groups[index]
      var next = group.quantaPerQuantum.ceiling(of: quantum)
      let end = group.quantaPerQuantum.ceiling(of: quantum &+ 1)
      while next < end {
        run(group, sampleTime: next &* Int64(renderQuantum), hostTime: hostTime, changes)
        next &+= 1
      }
    }
    run(groups[own], sampleTime: sampleTime, hostTime: hostTime, changes)
  }

  @_noLocks
  private func run(
    _ group: RenderGroup, sampleTime: Int64, hostTime: UInt64, _ changes: UnsafePointer<ActiveChanges>?
  ) {
    group.quantum.pointee.sampleTime = sampleTime
    group.quantum.pointee.hostTime = hostTime
    group.quantum.pointee.changes = changes
    for index in group.firstStep..<group.endStep {
      let step = steps + index
      for bus in 0..<step.pointee.context.outputBusCount {
        step.pointee.context.output(bus).isSilent = false
      }
      call(step.pointee.entry, step.pointee.state, UnsafeMutableRawPointer(step))
    }
  }
}

/// One step's turn in a quantum. The context comes first: its address is the step's.
struct RenderStep {
  let context: RenderContext
  let entry: RenderFunction
  let state: UnsafeMutableRawPointer
}

/// The steps of one sample rate, which run one after the other, and so often.
struct RenderGroup: BitwiseCopyable {
  /// How many quanta of the group go into one of the output's.
  let quantaPerQuantum: RateRatio
  let quantum: UnsafeMutablePointer<GroupQuantum>
  let firstStep: Int
  let endStep: Int

  /// In frames of the output, rounded up.
  var quantumLength: Int64 { Int64((Double(renderQuantum) / quantaPerQuantum.value).rounded(.up)) }
}
