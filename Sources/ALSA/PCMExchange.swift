import Synchronization

/// The device that plays.
struct PCMPresence {
  let parameters: PCMParameters
  /// Nil if it does not tell.
  let identity: PCMIdentity?
}

/// What the audio thread and all others tell each other while it runs.
struct PCMExchange: ~Copyable {
  /// The raw value of a `PCMStop`, or 0.
  let stopRequest = Atomic(0)
  private let drainRequest = PCMStop.drain.rawValue
  let isRunning = Atomic(false)
  let framesWritten = Atomic(0)
  let xruns = Atomic(0)
  let suspensions = Atomic(0)
  let stalls = Atomic(0)
  let departures = Atomic(0)
  /// Where the device is in the stream, for those who follow it.
  let position = PCMPosition()
  /// What plays; nil while the device is away. Never touched in real time.
  let present = Mutex<PCMPresence?>(nil)
  /// Frames of the present device's buffer, or the last one's.
  let bufferLength = Atomic(0)
  /// Which device to play on; nil until the first is open. Never touched in real time.
  let ranking = Mutex<DeviceRanking?>(nil)
  /// Whether there is a better device than the present one.
  let moveRequest = Atomic(false)
  let moves = Atomic(0)
  /// Nanoseconds.
  let longestRender = Atomic<UInt64>(0)
  /// Whether the thread has had to wait for its device, so that time passes in it.
  let isPaced = Atomic(false)
  /// How the thread asks to be scheduled. Never touched in real time.
  let scheduling = RealtimeRequest()

  /// The output has no device, if it had one until now. [no longer in real time]
  func depart() {
    guard present.withLock({ $0.take() }) != nil else { return }
    departures.add(1, ordering: .relaxed)
  }

  /// Asks the audio thread to leave its device for a better one. [any thread]
  func requestMove() { moveRequest.store(true, ordering: .relaxed) }

  /// A device has been opened, the one at that place in the order of preference; maybe in place of another that was left
  /// for it. [not yet in real time]
  func arrive(_ presence: PCMPresence, at index: Int) {
    moveRequest.store(false, ordering: .relaxed)
    bufferLength.store(presence.parameters.buffer, ordering: .relaxed)
    ranking.withLock { $0?.play(on: index, at: HostClock.now) }
    let previous = present.withLock { present in
      defer { present = presence }
      return present
    }
    if previous != nil { moves.add(1, ordering: .relaxed) }
  }

  /// Keeps the longest. Only the audio thread writes, so there is nothing to exchange.
  @_noLocks @_noAllocation
  func noteRender(nanoseconds: UInt64) {
    guard nanoseconds > longestRender.load(ordering: .relaxed) else { return }
    longestRender.store(nanoseconds, ordering: .relaxed)
  }

  /// The stream has ended by itself; a stop that was asked for meanwhile goes before.
  @_noLocks @_noAllocation
  func requestDrain() {
    _ = stopRequest.compareExchange(expected: 0, desired: drainRequest, ordering: .relaxed)
  }

  /// A reading; `periodDuration` in nanoseconds.
  func statistics(periodDuration: Double) -> PCMStatistics {
    PCMStatistics(
      framesWritten: framesWritten.load(ordering: .relaxed),
      xruns: xruns.load(ordering: .relaxed),
      suspensions: suspensions.load(ordering: .relaxed),
      stalls: stalls.load(ordering: .relaxed),
      departures: departures.load(ordering: .relaxed),
      moves: moves.load(ordering: .relaxed),
      peakLoad: Double(longestRender.load(ordering: .relaxed)) / periodDuration,
      scheduling: scheduling.outcome)
  }
}
