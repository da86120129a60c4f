import SynthRealtime

/// A kernel without inputs that is rendered within another node's, into stereo buses that the graph does not see.
package final class InnerKernel: @unchecked Sendable {
  // Unchecked: the audio thread alone touches the buses.

  private let kernel: Kernel
  private let samples: UnsafeMutableRawPointer
  private let buffers: UnsafeMutablePointer<BusBuffer>
  private let buses: UnsafeMutablePointer<UnsafeMutablePointer<BusBuffer>>
  private let busCount: Int

  /// [control thread]
  package init(_ kernel: Kernel, stereoBusCount: Int) {
    self.kernel = kernel
    busCount = stereoBusCount
    let busSize = 2 * renderQuantum * MemoryLayout<Float>.stride
    samples = .allocate(byteCount: busCount * busSize, alignment: 64)
    samples.initializeMemory(as: Float.self, repeating: 0, count: busCount * 2 * renderQuantum)
    buffers = .allocate(capacity: busCount)
    buses = .allocate(capacity: busCount)
    for bus in 0..<busCount {
      let start = (samples + bus * busSize).assumingMemoryBound(to: Float.self)
      (buffers + bus).initialize(to: BusBuffer(samples: start, channelCount: 2, isSilent: true))
      (buses + bus).initialize(to: buffers + bus)
    }
  }

  deinit {
    buses.deallocate()
    buffers.deallocate()
    samples.deallocate()
  }

  /// For the outer kernel, which keeps this object alive.
  package var renderer: InnerRenderer {
    InnerRenderer(entry: kernel.entry, state: kernel.state, buses: buses, busCount: busCount)
  }
}

/// What renders an `InnerKernel`. [audio thread]
package struct InnerRenderer {
  let entry: RenderFunction
  let state: UnsafeMutableRawPointer
  let buses: UnsafeMutablePointer<UnsafeMutablePointer<BusBuffer>>
  let busCount: Int

  /// Renders the outer kernel's quantum.
  @_noLocks
  package func render(_ context: RenderContext) {
    for bus in 0..<busCount { buses[bus].pointee.isSilent = false }
    var inner = RenderContext(inputs: 0, outputs: busCount, buses: buses, quantum: context.quantum)
    withUnsafeMutablePointer(to: &inner) { call(entry, state, $0) }
  }

  /// A bus with what was rendered.
  @_noLocks
  package func output(_ bus: Int) -> Bus { Bus(buffer: buses[bus]) }
}
