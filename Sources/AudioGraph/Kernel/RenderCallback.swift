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

  /// - Parameter body: called on the audio thread. It lives for as long as it may be called.
  public init(_ body: @escaping @Sendable (RenderRequest) -> Void) {
    let closure = RenderClosure(body)
    self.init(RenderClosure.entry, context: Unmanaged.passUnretained(closure).toOpaque(), owner: closure)
  }
}

/// What a render callback is asked for. [audio thread]
public struct RenderRequest {
  /// The first frame, counted from the start of rendering; it advances by exactly the frames of each call.
  public let sampleTime: Int64
  /// When the slice was asked for, in nanoseconds of the monotonic clock; 0 offline.
  public let hostTime: UInt64
  /// The bus to render: an output bus of a source or an effect, an input bus of a sink.
  public let bus: Int
  /// Frames in each channel of `buffers`: a quantum.
  public let frameCount: Int
  /// Where a source's samples go, where a sink's are, and where an effect's are and go.
  public let buffers: Bus

  @_noLocks
  init(_ context: RenderContext, _ buffers: Bus, bus: Int) {
    sampleTime = context.sampleTime
    hostTime = context.hostTime
    self.bus = bus
    frameCount = renderQuantum
    self.buffers = buffers
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
