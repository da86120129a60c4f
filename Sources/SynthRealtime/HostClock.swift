import CSynthRealtime

/// The monotonic clock that audio, MIDI and control threads have in common.
public enum HostClock {
  /// Nanoseconds since an arbitrary moment in the past. [any thread] (clock_gettime)
  @inlinable public static var now: UInt64 {
    @_noLocks @_noAllocation get { realtime_clock() }
  }
}
