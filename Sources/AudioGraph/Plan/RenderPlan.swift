import Realtime

/// The recursive pull of a graph, written down once in post-order: a flat array of steps over assigned buffers.
///
/// The compiler fills it on the control thread; from its publication on only the audio thread touches its memory.
final class RenderPlan: @unchecked Sendable {
  let stepCount: Int
  let steps: UnsafeMutablePointer<RenderStep>
  /// What the device plays.
  let destination: UnsafeMutablePointer<BusBuffer>
  /// How many buffers serve all buses, the shared silence not counted.
  let bufferCount: Int
  /// Which life of the engine it belongs to; a new one begins at sample time 0. Set before it is published.
  var epoch = 0

  private let memory: PlanMemory
  private let kernels: [Kernel]

  init(memory: PlanMemory, kernels: [Kernel], destination: UnsafeMutablePointer<BusBuffer>, bufferCount: Int) {
    self.memory = memory
    self.kernels = kernels
    self.destination = destination
    self.bufferCount = bufferCount
    steps = memory.steps
    stepCount = kernels.count
  }

  /// Renders one quantum into `destination`. [audio thread]
  @_noLocks
  func render(sampleTime: Int64, hostTime: UInt64) {
    for index in 0..<stepCount {
      let step = steps + index
      step.pointee.context.sampleTime = sampleTime
      step.pointee.context.hostTime = hostTime
      for bus in 0..<step.pointee.context.outputBusCount {
        step.pointee.context.output(bus).isSilent = false
      }
      call(step.pointee.entry, step.pointee.state, UnsafeMutableRawPointer(step))
    }
  }
}

/// One node's turn in a quantum. The context comes first: its address is the step's.
struct RenderStep {
  var context: RenderContext
  let entry: RenderFunction
  let state: UnsafeMutableRawPointer
}
