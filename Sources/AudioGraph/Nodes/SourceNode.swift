import Realtime

/// A render callback as a node: where a path begins.
public final class SourceNode: AudioNode {
  public let name: String
  public let inputBusCount = 0
  public let outputBusCount = 1
  public let format: AudioFormat
  private let callback: RenderCallback
  private let slot = KernelSlot<Int>()

  /// - Parameter callback: fills the buffers it is given, or calls their `silence()`; what hears it then costs nothing.
  public init(name: String = "source", format: AudioFormat, _ callback: RenderCallback) {
    self.name = name
    self.format = format
    self.callback = callback
  }

  /// A C function with a context; see `RenderCallback`.
  public convenience init(
    name: String = "source", format: AudioFormat, context: UnsafeMutableRawPointer,
    callback: @escaping RenderFunction
  ) {
    self.init(name: name, format: format, RenderCallback(callback, context: context))
  }

  /// A Swift closure; see `RenderCallback`.
  public convenience init(
    name: String = "source", format: AudioFormat, render: @escaping @Sendable (RenderRequest) -> Void
  ) {
    self.init(name: name, format: format, RenderCallback(render))
  }

  /// The format; another format needs another callback, and so another node.
  public var properties: [Property] {
    [
      Property(Self.sampleRate, of: self) { [format] in .number(format.sampleRate) },
      Property(Self.channelCount, of: self) { [format] in .integer(format.channelCount) },
    ]
  }

  static let sampleRate = CreationProperty("sample rate", kind: .number(1...1_000_000, unit: .hertz))
  static let channelCount = CreationProperty("channel count", kind: .integer(1...1024))

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] { [format] }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) {
      Kernel(
        CallbackKernel(callback), retaining: [callback.owner].compactMap(\.self), entry: CallbackKernel.sourceEntry)
    }
  }
}
