import CALSA

/// The monotonic clock, which audio and MIDI threads have in common.
public enum HostClock {
  /// Nanoseconds since some moment in the past. [any thread, the audio thread too] (clock_gettime)
  public static var now: UInt64 {
    @_noLocks @_noAllocation get { pcm_clock() }
  }
}
