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
    let nanoseconds = (Double(sampleTime) - Double(moment.sliceFrame)) / sampleRate * 1e9
    return moment.sliceHostTime &+ UInt64(bitPattern: Int64(Self.held(nanoseconds)))
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
    Int64(Self.held(seconds * sampleRate))
  }

  /// The whole number nearest to one, within ±2⁶⁰: longer than anything lasts, and far from overflow.
  private static func held(_ number: Double) -> Double {
    number.isNaN ? 0 : min(max(number.rounded(), -0x1p60), 0x1p60)
  }
}

extension Duration {
  /// The duration of a number of beats at a tempo.
  ///
  /// - Parameters:
  ///   - count: in beats; NaN is 0.
  ///   - tempo: in beats per minute. At 0 and below no beat ever comes: the duration is then the longest there is here,
  ///     2⁶⁰ seconds, to which every other is clamped.
  public static func beats(_ count: Double, tempo: Double) -> Duration {
    let seconds = tempo > 0 ? count * 60 / tempo : count > 0 ? .infinity : 0
    return .seconds(seconds.isNaN ? 0 : min(max(seconds, -0x1p60), 0x1p60))
  }
}
