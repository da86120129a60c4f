import Synchronization

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
  /// What the present device has granted; nil while it is away. Never touched in real time.
  let present = Mutex<PCMParameters?>(nil)
  /// Nanoseconds.
  let longestRender = Atomic<UInt64>(0)
  /// Whether the thread has had to wait for its device, so that time passes in it.
  let isPaced = Atomic(false)
  /// How the thread asks to be scheduled. Never touched in real time.
  let scheduling = RealtimeRequest()

  /// The device has gone. [no longer in real time]
  func depart() {
    departures.add(1, ordering: .relaxed)
    present.withLock { $0 = nil }
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
      peakLoad: Double(longestRender.load(ordering: .relaxed)) / periodDuration,
      scheduling: scheduling.outcome)
  }
}
