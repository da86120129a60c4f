import AudioGraph
import SynthRealtime

/// A node that renders nothing: it leaves in its buffers what is there. In a node's place it shows what the rest costs.
final class EmptyNode: AudioNode {
  let name = "empty"
  let inputBusCount: Int
  let outputBusCount: Int
  private let slot = KernelSlot<Int>()

  init(inputs: Int = 1, outputs: Int = 1) {
    inputBusCount = inputs
    outputBusCount = outputs
  }

  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    Array(repeating: .stereo(sampleRate), count: outputBusCount)
  }

  func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) { Kernel(0, entry: { _, _ in }) }
  }
}
