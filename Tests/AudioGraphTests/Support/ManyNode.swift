import AudioGraph

/// Silent on many stereo buses, as a sampler is that nobody plays.
final class ManyNode: AudioNode {
  let name = "many"
  let inputBusCount = 0
  let outputBusCount: Int

  init(busCount: Int) { outputBusCount = busCount }

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
