import AudioGraph
import Synchronization

/// A silent node that lets its channel count be set to what it then refuses to render, and another property to nothing.
final class PickyNode: AudioNode {
  let name = "picky"
  let inputBusCount = 0
  let outputBusCount = 1
  private let channelCount = Mutex(2)
  private let slot = KernelSlot<Int>()

  var properties: [Property] {
    [
      Property("grudge", of: self, kind: .integer(0...8)) {
        .integer(0)
      } write: { _ in
        throw PropertyError.unknown(node: "picky", name: "grudge", near: [])
      },
      Property("channel count", of: self, kind: .integer(1...8)) { [self] in
        .integer(channelCount.withLock { $0 })
      } write: { [self] value in
        channelCount.withLock { $0 = value.integer ?? 0 }
      },
    ]
  }

  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) throws(FormatRefusal) -> [AudioFormat] {
    let count = channelCount.withLock { $0 }
    guard count < 3 else { throw FormatRefusal(bus: 0, reason: "three are a crowd", remedy: "take two") }
    return [AudioFormat(sampleRate: sampleRate, channelCount: count)]
  }

  func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) {
      Kernel(0) { _, context in
        context.assumingMemoryBound(to: RenderContext.self).pointee.output(0).silence()
      }
    }
  }
}
