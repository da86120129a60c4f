import AudioGraph
import Synchronization

/// Silent on many stereo buses, as a sampler is that nobody plays; and it may change its mind about how many there are.
final class SilentNode: AudioNode {
  let name: String
  let inputBusCount = 0
  let busCount: Atomic<Int>

  init(name: String = "silent", busCount: Int) {
    self.name = name
    self.busCount = Atomic(busCount)
  }

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
