import Realtime
import Synchronization

/// A device that plays.
struct PlayingDevice {
  let parameters: PCMParameters
  /// The same in frames of the stream.
  let streamParameters: PCMParameters
  /// Nil if the device does not tell.
  let identity: PCMIdentity?
}

/// What an output's audio thread and the other threads tell each other while it runs.
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
  /// The device's position in the stream, for the devices of an aggregate that follow it.
  let position = PCMPosition()
  /// The device that plays; nil without one. Never accessed in real time.
  let present = Mutex<PlayingDevice?>(nil)
  /// Frames of the stream in the present device's buffer, or the last one's.
  let bufferLength = Atomic(0)
  /// Decides which device to play on; nil until the first is open. Never accessed in real time.
  let ranking = Mutex<DeviceRanking?>(nil)
  /// Whether a preferred device can be opened.
  let moveRequest = Atomic(false)
  let moves = Atomic(0)
  /// In nanoseconds.
  let longestRender = Atomic<UInt64>(0)
  /// Whether the thread has had to wait for its device, which means that the device has a clock.
  let isPaced = Atomic(false)
  /// The thread's request for real-time scheduling. Never accessed in real time.
  let scheduling = RealtimeRequest()

  /// Notes that the output has lost its device; not in real time. [audio thread]
  func depart() {
    guard present.withLock({ $0.take() }) != nil else { return }
    departures.add(1, ordering: .relaxed)
  }

  /// Asks the audio thread to move to a preferred device. [any thread]
  func requestMove() { moveRequest.store(true, ordering: .relaxed) }

  /// Notes that the device at this place in the order of preference has been opened; not in real time. [audio thread]
  func arrive(_ presence: PlayingDevice, at index: Int) {
    moveRequest.store(false, ordering: .relaxed)
    bufferLength.store(presence.streamParameters.buffer, ordering: .relaxed)
    ranking.withLock { $0?.play(on: index, at: HostClock.now) }
    let previous = present.withLock { present in
      defer { present = presence }
      return present
    }
    if previous != nil { moves.add(1, ordering: .relaxed) }
  }

  /// Keeps the longest time. Only this thread writes it. [audio thread]
  @_noLocks @_noAllocation
  func noteRender(nanoseconds: UInt64) {
    guard nanoseconds > longestRender.load(ordering: .relaxed) else { return }
    longestRender.store(nanoseconds, ordering: .relaxed)
  }

  /// Notes that the stream has ended; a stop that was requested before takes precedence. [audio thread]
  @_noLocks @_noAllocation
  func requestDrain() {
    _ = stopRequest.compareExchange(expected: 0, desired: drainRequest, ordering: .relaxed)
  }

  /// The present figures; `periodDuration` in nanoseconds. [any thread]
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

/// Figures of an output's operation.
public struct PCMStatistics: Sendable, Equatable {
  /// Frames handed to the device.
  public var framesWritten: Int
  /// Times the buffer ran empty.
  public var xruns: Int
  /// Times the machine was suspended and came back.
  public var suspensions: Int
  /// Times the device took no frames for a tenth of a second.
  public var stalls: Int
  /// Times the device went away while it played.
  public var departures: Int
  /// Times the output moved to a preferred device.
  public var moves: Int
  /// The longest rendering time of a period, as a share of its duration: above 1 is too late.
  public var peakLoad: Double
  /// How the kernel schedules the thread.
  public var scheduling: ThreadScheduling
}
