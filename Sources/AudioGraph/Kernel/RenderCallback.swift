import CSynthRender
import SynthRealtime

/// What is asked for samples, or given some to read or to alter, once a quantum.
///
/// A C function with a context is real-time safe if its author keeps to the rule: it neither allocates, locks, waits
/// nor throws. A Swift closure is a convenience. The compiler does not look into it, so that it keeps to the rule is
/// its author's promise too: it must not copy class references, grow arrays or print. It costs one indirect call more
/// than a C function does; in a debug build also a retain and a release.
public struct RenderCallback: @unchecked Sendable {
  let function: RenderFunction
  let context: UnsafeMutableRawPointer
  /// What the context points into; a kernel keeps it alive.
  let owner: AnyObject?

  /// - Parameters:
  ///   - function: called on the audio thread with `context` and a `RenderRequest`.
  ///   - context: the caller keeps it alive until no plan uses it any more; see `AudioEngine.collect()`.
  ///   - owner: kept alive for as long as the function may be called, so that the context can lie in it.
  public init(
    _ function: @escaping RenderFunction, context: UnsafeMutableRawPointer, owner: (AnyObject & Sendable)? = nil
  ) {
    self.function = function
    self.context = context
    self.owner = owner
  }

  /// A function written in C, with the header `synth_render.h` of the product CSynthRender.
  ///
  /// - Parameters: as of a function that takes any pointer.
  public init(
    kernel: synth_render_function, context: UnsafeMutableRawPointer, owner: (AnyObject & Sendable)? = nil
  ) {
    // A request is a `synth_render` and nothing else, so that both functions are called alike.
    self.init(unsafeBitCast(kernel, to: RenderFunction.self), context: context, owner: owner)
  }

  /// - Parameter body: called on the audio thread. It lives for as long as it may be called.
  public init(_ body: @escaping @Sendable (RenderRequest) -> Void) {
    let closure = RenderClosure(body)
    self.init(RenderClosure.entry, context: Unmanaged.passUnretained(closure).toOpaque(), owner: closure)
  }
}

/// What a render callback is asked for. [audio thread]
public struct RenderRequest {
  /// All there is, because a kernel written in C is given the same memory.
  private let request: synth_render

  @_noLocks
  init(_ context: RenderContext, _ buffers: Bus, bus: Int, sampleRate: Double, _ values: ParameterValues.Quantum) {
    request = synth_render(
      sample_time: context.sampleTime, host_time: context.hostTime, sample_rate: sampleRate,
      bus: Int32(truncatingIfNeeded: bus), frame_count: Int32(truncatingIfNeeded: renderQuantum),
      channel_count: Int32(truncatingIfNeeded: buffers.channelCount),
      parameter_count: Int32(truncatingIfNeeded: values.count), samples: buffers[0], parameters: values.first,
      is_silent: buffers.silenceFlag, buffer: UnsafeMutableRawPointer(buffers.buffer))
  }

  /// The first frame, counted from the start of rendering; it advances by exactly the frames of each call.
  public var sampleTime: Int64 {
    @_noLocks get { request.sample_time }
  }

  /// When the slice was asked for, in nanoseconds of the monotonic clock; 0 offline.
  public var hostTime: UInt64 {
    @_noLocks get { request.host_time }
  }

  /// Of the bus, in hertz.
  public var sampleRate: Double {
    @_noLocks get { request.sample_rate }
  }

  /// The bus to render: an output bus of a source or an effect, an input bus of a sink.
  public var bus: Int {
    @_noLocks get { Int(request.bus) }
  }

  /// Frames in each channel of `buffers`: a quantum.
  public var frameCount: Int {
    @_noLocks get { Int(request.frame_count) }
  }

  /// Where a source's samples go, where a sink's are, and where an effect's are and go.
  public var buffers: Bus {
    @_noLocks get { Bus(buffer: request.buffer.assumingMemoryBound(to: BusBuffer.self)) }
  }

  /// What a parameter of the effect has at each of the frames, as kernels calculate with it: decibels are amplitudes.
  ///
  /// - Parameter index: among the effect's `parameters`.
  @_noLocks
  public func parameter(_ index: Int) -> UnsafeBufferPointer<Float> {
    guard index >= 0, index < Int(request.parameter_count), let first = request.parameters else {
      fatalError("the effect has no such parameter")
    }
    return UnsafeBufferPointer(start: first + index * frameCount, count: frameCount)
  }
}

/// A closure in its own memory.
private final class RenderClosure: Sendable {
  let body: @Sendable (RenderRequest) -> Void

  init(_ body: @escaping @Sendable (RenderRequest) -> Void) { self.body = body }

  static let entry: RenderFunction = { context, request in
    Unmanaged<RenderClosure>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.body(request.assumingMemoryBound(to: RenderRequest.self).pointee)
    }
  }
}
