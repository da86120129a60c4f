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

/// The render side of sources, sinks and effects: a callback with a bus of its node.
struct CallbackKernel {
  let function: RenderFunction
  let context: UnsafeMutableRawPointer

  init(_ callback: RenderCallback) {
    function = callback.function
    context = callback.context
  }

  @_noLocks
  func render(_ renderContext: RenderContext, _ buffers: Bus) {
    var request = RenderRequest(renderContext, buffers)
    withUnsafeMutablePointer(to: &request) { call(function, context, UnsafeMutableRawPointer($0)) }
  }

  static let sourceEntry: RenderFunction = { state, context in
    let context = context.assumingMemoryBound(to: RenderContext.self).pointee
    state.assumingMemoryBound(to: CallbackKernel.self).pointee.render(context, context.output(0))
  }

  static let sinkEntry: RenderFunction = { state, context in
    let context = context.assumingMemoryBound(to: RenderContext.self).pointee
    state.assumingMemoryBound(to: CallbackKernel.self).pointee.render(context, context.input(0))
  }
}
