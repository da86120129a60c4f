import SynthRealtime

/// The clock of an engine: sample times count its frames, at its rate, and every `at:` is one of them. Host times are
/// nanoseconds of the monotonic clock (`HostClock`, CLOCK_MONOTONIC).
extension AudioEngine {
  /// The first frame that the output has not got. It stands still while the engine is paused; `stop` and `reset` take
  /// it back to 0. Reading it takes no lock. [any thread]
  public var sampleTime: Int64 { clock.pointer.pointee.moment.nextFrame }

  /// The frame that is asked for at a host time, by the slice that was asked for last; nil while no output unit plays
  /// the engine. It is heard later by the output unit's `latency`. Reading it takes no lock. [any thread]
  ///
  ///     let onset = engine.sampleTime(atHostTime: keyPress.hostTime)
  ///
  /// The corresponding C function of JACK is `jack_time_to_frames`.
  public func sampleTime(atHostTime hostTime: UInt64) -> Int64? {
    let moment = clock.pointer.pointee.moment
    guard moment.sliceHostTime > 0 else { return nil }
    let nanoseconds = Double(Int64(truncatingIfNeeded: hostTime &- moment.sliceHostTime))
    return moment.sliceFrame + frames(in: nanoseconds / 1e9)
  }

  /// When a frame is asked for, by the slice that was asked for last; nil while no output unit plays the engine.
  /// Reading it takes no lock. [any thread]
  ///
  /// The corresponding C function of JACK is `jack_frames_to_time`.
  public func hostTime(atSampleTime sampleTime: Int64) -> UInt64? {
    let moment = clock.pointer.pointee.moment
    guard moment.sliceHostTime > 0 else { return nil }
    let nanoseconds = Double(sampleTime &- moment.sliceFrame) / sampleRate * 1e9
    let limited = min(max(nanoseconds.rounded(), -Self.longest), Self.longest)
    return moment.sliceHostTime &+ UInt64(bitPattern: Int64(limited))
  }

  /// The frame nearest to so long from `sampleTime` on: what a change in half a second is scheduled at. [any thread]
  ///
  ///     try engine.schedule(gain, to: -6, at: engine.sampleTime(after: .seconds(0.5)))
  ///     try engine.schedule(gain, to: 0, at: engine.sampleTime(after: .beats(4, tempo: 120)))
  public func sampleTime(after duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return sampleTime + frames(in: Double(seconds) + Double(attoseconds) / 1e18)
  }

  private func frames(in seconds: Double) -> Int64 {
    Int64(min(max((seconds * sampleRate).rounded(), -Self.longest), Self.longest))
  }

  /// Longer than anything lasts, and far from overflow.
  private static let longest = 0x1p60
}

extension Duration {
  /// So many beats at a tempo in beats per minute.
  public static func beats(_ count: Double, tempo: Double) -> Duration { .seconds(count * 60 / tempo) }
}
