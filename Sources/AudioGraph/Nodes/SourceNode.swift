import Realtime

/// A render callback as a node.
public final class SourceNode: AudioNode {
  public let name: String
  public let inputBusCount = 0
  public let outputBusCount = 1
  public let format: AudioFormat
  private let source: SourceKernel
  private let slot = KernelSlot<Int>()

  /// - Parameters:
  ///   - callback: called on the audio thread once a quantum with `context` and a `RenderRequest`. It fills the
  ///     buffers, or calls their `silence()`. It must not allocate, lock, wait or throw.
  ///   - context: the caller keeps it alive for as long as the node is rendered.
  public init(
    name: String = "source", format: AudioFormat, context: UnsafeMutableRawPointer, callback: RenderFunction
  ) {
    self.name = name
    self.format = format
    source = SourceKernel(callback: callback, context: context)
  }

  /// The format; another one is for another callback, so a node of its own.
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
    slot.kernel(for: 0) { Kernel(source, entry: SourceKernel.entry) }
  }
}

/// What a render callback is asked for. [audio thread]
public struct RenderRequest {
  /// The first frame, counted from the start of rendering; it advances by exactly the frames of each call.
  public let sampleTime: Int64
  /// When the slice was asked for, in nanoseconds of the monotonic clock; 0 offline.
  public let hostTime: UInt64
  /// The output bus to render.
  public let bus: Int
  public let frameCount: Int
  /// Where the samples go.
  public let buffers: Bus
}

private struct SourceKernel: @unchecked Sendable {
  let callback: RenderFunction
  let context: UnsafeMutableRawPointer

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: SourceKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  func render(_ renderContext: RenderContext) {
    var request = RenderRequest(
      sampleTime: renderContext.sampleTime, hostTime: renderContext.hostTime, bus: 0, frameCount: renderQuantum,
      buffers: renderContext.output(0))
    withUnsafeMutablePointer(to: &request) { call(callback, context, UnsafeMutableRawPointer($0)) }
  }
}
