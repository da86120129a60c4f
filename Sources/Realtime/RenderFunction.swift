import CRealtime

/// A function the audio thread enters through a pointer, with its context and one argument: the shape of
/// `AURenderCallbackStruct`. No class, closure or existential takes part in the call, so nothing is retained.
public typealias RenderFunction =
  @convention(c) (_ context: UnsafeMutableRawPointer, _ argument: UnsafeMutableRawPointer) -> Void

/// Calls a render function. [audio thread]
///
/// The function's author promises that it neither allocates, locks, waits nor throws.
@_noLocks
@inlinable public func call(
  _ function: RenderFunction, _ context: UnsafeMutableRawPointer, _ argument: UnsafeMutableRawPointer
) {
  realtime_call(function, context, argument)
}

/// Runs `body` with denormal numbers as zero, as a device's thread has them: so that offline is live, to the last bit.
@inlinable public func flushingDenormals(_ body: () -> Void) {
  let mode = realtime_flush_denormals()
  body()
  realtime_restore_denormals(mode)
}
