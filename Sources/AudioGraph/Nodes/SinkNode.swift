import Realtime

/// A render callback at the end of a path: it is given what arrives there, whatever the format.
///
/// A sink that is connected is pulled once a quantum, like the output node.
public final class SinkNode: AudioNode {
  public let name: String
  public let inputBusCount = 1
  public let outputBusCount = 0
  private let callback: RenderCallback
  private let slot = KernelSlot<Int>()

  /// - Parameter callback: reads the buffers it is given, and writes nothing into them: others may read them after it.
  public init(name: String = "sink", _ callback: RenderCallback) {
    self.name = name
    self.callback = callback
  }

  /// A Swift closure; see `RenderCallback`.
  public convenience init(name: String = "sink", receive: @escaping @Sendable (RenderRequest) -> Void) {
    self.init(name: name, RenderCallback(receive))
  }

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] { [] }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) {
      Kernel(CallbackKernel(callback), retaining: [callback.owner].compactMap(\.self), entry: CallbackKernel.sinkEntry)
    }
  }
}
