import CSynthRealtime

/// The monotonic clock that audio, MIDI and control threads have in common.
public enum HostClock {
  /// Nanoseconds since an arbitrary moment in the past. [any thread] (clock_gettime)
  @inlinable public static var now: UInt64 {
    @_noLocks @_noAllocation get { realtime_clock() }
  }

  /// Seconds as nanoseconds: 0 to 30 years, to which they are clamped; NaN is 0. [any thread]
  package static func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(min(max(0, seconds), 1e9) * 1e9) }
}
