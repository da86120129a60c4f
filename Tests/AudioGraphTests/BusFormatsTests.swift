import AudioGraph
import Synchronization
import Testing

@Suite("The formats that a node makes its kernel for")
struct BusFormatsTests {
  /// Hands on what it is given, and keeps what it was told.
  private final class Listener: AudioNode {
    let name = "listener"
    let inputBusCount = 1
    let outputBusCount = 1
    let told = Mutex<BusFormats?>(nil)

    func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
      [inputs[0] ?? .stereo(sampleRate)]
    }

    func kernel(for formats: BusFormats) -> Kernel {
      told.withLock { $0 = formats }
      return Kernel(0) { _, context in
        context.assumingMemoryBound(to: RenderContext.self).pointee.output(0).silence()
      }
    }
  }

  // source (24 kHz) ─► listener ─► mixer ─► output (48 kHz)
  @Test("have the node's own sample rate, and the output unit's beside it")
  func ownRate() throws {
    let listener = Listener()
    _ = try AudioEngine.chain(
      ConstantSource(1, format: .stereo(24000)).node, listener, MixerNode(inputBusCount: 1),
      output: try OutputNode(channelCount: 2))
    let formats = try #require(listener.told.withLock { $0 })
    #expect(formats.sampleRate == 24000 && formats.unitSampleRate == 48000)
  }

  @Test("without an input and an output rate, have the unit's")
  func noRate() throws {
    let listener = Listener()
    _ = try AudioEngine.chain(listener, output: try OutputNode(channelCount: 2))
    #expect(listener.told.withLock { $0?.sampleRate } == 48000)
  }
}
