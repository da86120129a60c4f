import AudioGraph
import Synchronization

/// A silent node that changes its mind about how many outputs it has.
final class FickleNode: AudioNode {
  let name = "fickle"
  let inputBusCount = 0
  let busCount = Atomic<Int>(2)

  var outputBusCount: Int { busCount.load(ordering: .relaxed) }

  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    Array(repeating: .stereo(sampleRate), count: outputBusCount)
  }

  func kernel(for formats: BusFormats) -> Kernel {
    Kernel(0) { _, context in
      let context = context.assumingMemoryBound(to: RenderContext.self).pointee
      for bus in 0..<context.outputBusCount { context.output(bus).silence() }
    }
  }
}
