import CSynthRealtime

/// The engine renders in blocks of this many frames.
///
/// FluidSynth applies events only on its own 64-frame grid, and control-rate work is done once a quantum: 1.33 ms at
/// 48 kHz. A slice of another length is served from the rest of the last quantum.
@_transparent public var renderQuantum: Int { Int(RENDER_QUANTUM) }

/// A function the audio thread enters through a pointer, with its context and one argument: the shape of
/// `AURenderCallbackStruct`. No class, closure or existential takes part in the call, so nothing is retained.
public typealias RenderFunction =
  @convention(c) (_ context: UnsafeMutableRawPointer, _ argument: UnsafeMutableRawPointer) -> Void

/// Calls a render function. [audio thread]
///
/// The function must neither allocate, lock, wait nor throw.
@_noLocks
@inlinable public func call(
  _ function: RenderFunction, _ context: UnsafeMutableRawPointer, _ argument: UnsafeMutableRawPointer
) {
  realtime_call(function, context, argument)
}

/// Runs `body` with denormal numbers flushed to zero, as on a device's thread, so that offline rendering is
/// bit-identical to live rendering. [any thread]
@inlinable public func flushingDenormals(_ body: () -> Void) {
  let mode = realtime_flush_denormals()
  body()
  realtime_restore_denormals(mode)
}

/// Copies samples between places that do not overlap. [any thread] (memcpy)
@_noLocks
@inlinable public func copySamples(
  from source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, count: Int
) {
  realtime_copy(destination, source, count)
}

/// The same, while non-finite samples become 0: for samples from outside of the graph. [any thread]
@_noLocks
@inlinable public func copyFiniteSamples(
  from source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, count: Int
) {
  realtime_copy_finite(destination, source, count)
}

/// Makes non-finite samples 0 in place. [any thread]
@_noLocks
@inlinable public func makeFinite(_ samples: UnsafeMutablePointer<Float>, count: Int) {
  realtime_make_finite(samples, count)
}

/// The square root of a number that is not negative. [any thread]
@_noLocks
@inlinable public func squareRoot(_ value: Float) -> Float { realtime_square_root(value) }
