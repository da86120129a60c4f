/// How the playback of something that was scheduled ended. `Failure` is what may go wrong with it: `Never` for a
/// buffer, `AudioFileError` for a file.
public enum PlaybackEnd<Failure: Error & Equatable>: Sendable, Equatable {
  /// After its last frame; `until` is the sample time of the frame after it, on the engine's clock.
  case played(until: Int64)
  /// By `stop` or by what interrupts it, before or during playback.
  case stopped
  /// Where it cannot be read.
  case failed(Failure)
}
