import SynthRealtime

/// A render callback as a node: where a path begins, or several, each from its bus.
public final class SourceNode: AudioNode {
  public let name: String
  public let inputBusCount = 0
  public let outputBusCount: Int
  /// Of each bus.
  public let format: AudioFormat
  private let callback: RenderCallback
  private let slot = KernelSlot<Int>()

  /// - Parameters:
  ///   - busCount: 1 to 1024, to which it is clamped.
  ///   - callback: fills the buffers it is given, or calls their `silence()`; what hears it then costs nothing.
  ///     Non-finite samples become 0. It is called for each bus in a quantum, by number, which is the request's `bus`.
  public init(name: String = "source", format: AudioFormat, busCount: Int = 1, _ callback: RenderCallback) {
    self.name = name
    self.format = format
    outputBusCount = min(max(1, busCount), Self.mostBuses)
    self.callback = callback
  }

  /// A C function with a context; see `RenderCallback`.
  public convenience init(
    name: String = "source", format: AudioFormat, busCount: Int = 1, context: UnsafeMutableRawPointer,
    callback: @escaping RenderFunction
  ) {
    self.init(name: name, format: format, busCount: busCount, RenderCallback(callback, context: context))
  }

  /// A Swift closure; see `RenderCallback`.
  public convenience init(
    name: String = "source", format: AudioFormat, busCount: Int = 1,
    render: @escaping @Sendable (RenderRequest) -> Void
  ) {
    self.init(name: name, format: format, busCount: busCount, RenderCallback(render))
  }

  private static let mostBuses = 1024

  /// The format, and how many buses have it; others need another callback, and so another node.
  public var properties: [Property] {
    [
      Property(Self.sampleRate, of: self) { [format] in .number(format.sampleRate) },
      Property(Self.channelCount, of: self) { [format] in .integer(format.channelCount) },
      Property(Self.busCount, of: self) { [outputBusCount] in .integer(outputBusCount) },
    ]
  }

  static let sampleRate = CreationProperty("sample rate", kind: .number(1...1_000_000, unit: .hertz))
  static let channelCount = CreationProperty("channel count", kind: .integer(1...1024))
  static let busCount = CreationProperty("output bus count", kind: .integer(1...mostBuses))

  public func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] {
    Array(repeating: format, count: outputBusCount)
  }

  public func kernel(for formats: BusFormats) -> Kernel {
    slot.kernel(for: 0) {
      Kernel(
        CallbackKernel(callback, formats), retaining: [callback.owner].compactMap(\.self),
        entry: CallbackKernel.sourceEntry)
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
  private let slot = KernelSlot<Double>()

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
    slot.kernel(for: formats.sampleRate) {
      Kernel(
        CallbackKernel(callback, formats), retaining: [callback.owner].compactMap(\.self),
        entry: CallbackKernel.sinkEntry)
    }
  }
}

/// The render side of sources, sinks and effects: a callback with a bus of its node.
struct CallbackKernel {
  let function: RenderFunction
  let context: UnsafeMutableRawPointer
  private let sampleRate: Double

  init(_ callback: RenderCallback, _ formats: BusFormats) {
    function = callback.function
    context = callback.context
    sampleRate = formats.sampleRate
  }

  @_noLocks
  func render(
    _ renderContext: RenderContext, _ buffers: Bus, bus: Int = 0,
    values: ParameterValues.Quantum = ParameterValues.Quantum()
  ) {
    var request = RenderRequest(renderContext, buffers, bus: bus, sampleRate: sampleRate, values)
    withUnsafeMutablePointer(to: &request) { call(function, context, UnsafeMutableRawPointer($0)) }
  }

  static let sourceEntry: RenderFunction = { state, context in
    let context = context.assumingMemoryBound(to: RenderContext.self).pointee
    let kernel = state.assumingMemoryBound(to: CallbackKernel.self).pointee
    for number in 0..<context.outputBusCount {
      let bus = context.output(number)
      kernel.render(context, bus, bus: number)
      if !bus.isSilent { bus.makeFinite() }
    }
  }

  static let sinkEntry: RenderFunction = { state, context in
    let context = context.assumingMemoryBound(to: RenderContext.self).pointee
    state.assumingMemoryBound(to: CallbackKernel.self).pointee.render(context, context.input(0))
  }
}
