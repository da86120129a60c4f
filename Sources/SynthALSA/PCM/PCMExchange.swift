import CSynthALSA
import Synchronization
import SynthRealtime

/// A device that plays.
struct PlayingDevice {
  let parameters: PCMParameters
  /// The same in frames of the stream.
  let streamParameters: PCMParameters
  /// Nil if the device does not tell.
  let identity: PCMIdentity?
  /// For news: looked up while the card is there.
  let route: Route

  init(parameters: PCMParameters, streamParameters: PCMParameters, identity: PCMIdentity?) {
    self.parameters = parameters
    self.streamParameters = streamParameters
    self.identity = identity
    route = Route(parameters: parameters, hardware: identity?.description)
  }
}

/// What an output's audio thread and the other threads tell each other while it runs.
struct PCMExchange: ~Copyable {
  /// The raw value of a `PCMStop`, or 0.
  let stopRequest = Atomic(0)
  private let drainRequest = PCMStop.drain.rawValue
  let isRunning = Atomic(false)
  /// Of a capture device: read.
  let framesWritten = Atomic(0)
  /// Of a capture device: frames of silence in place of some that were never read.
  let framesLost = Atomic(0)
  let xruns = Atomic(0)
  let suspensions = Atomic(0)
  let stalls = Atomic(0)
  let departures = Atomic(0)
  /// The device's position in the stream, for the devices of an aggregate that follow it.
  let position = PCMPosition()
  /// The device that plays; nil without one. Never accessed in real time.
  let present = CheckedMutex<PlayingDevice?>(nil)
  /// Frames of the stream in the present device's buffer, or the last one's.
  let bufferLength = Atomic(0)
  /// Frames of the stream between a slice that is asked for and the ear, as measured on the present device; negative
  /// where that is what its buffer makes it.
  let delay = Atomic(-1)
  /// What period and buffer make it, and a fifth of a millisecond.
  private let plannedDelay = Atomic(0)
  private let delayStep = Atomic(0)
  /// Decides which device to play on; nil until the first is open. Never accessed in real time.
  let choice = CheckedMutex<DeviceChoice?>(nil)
  /// Whether a preferred device can be opened.
  let moveRequest = Atomic(false)
  /// Whether another device was asked for, and the output has not moved yet.
  let isChosen = Atomic(false)
  let moves = Atomic(0)
  /// Whether the output has closed its device by itself, and has not looked for it since.
  let isReleased = Atomic(false)
  /// Whether a more important program asks for the device.
  let giveRequest = Atomic(false)
  /// In nanoseconds.
  let longestRender = Atomic<UInt64>(0)
  /// The same since it was last taken.
  let recentRender = Atomic<UInt64>(0)
  /// Whether the thread has had to wait for its device, which means that the device has a clock.
  let isPaced = Atomic(false)
  /// The thread's request for real-time scheduling. Never accessed in real time.
  let scheduling = RealtimeRequest()
  /// Who is told of devices that come and go.
  let news: RouteNews

  init(_ news: RouteNews = RouteNews()) { self.news = news }

  /// Notes that the output has lost its device; not in real time. [audio thread]
  func depart(_ reason: RouteChange.Reason = .deviceGone) {
    guard let lost = present.withLock({ $0.take() }) else { return }
    departures.add(1, ordering: .relaxed)
    news.tell(reason, from: lost.route, to: nil)
  }

  /// The number of the present device's card; nil if it is no card's. Not in real time.
  var card: Int32? {
    present.withLock { $0?.identity?.card }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// Asks the audio thread to move to a preferred device. [any thread]
  func requestMove() { moveRequest.store(true, ordering: .relaxed) }

  /// Prefers a device from now on, and asks the audio thread to move to it. [any thread]
  func prefer(_ request: PCMRequest) {
    let device = present.withLock { $0?.parameters.device }
    choice.withLock { $0?.prefer(request, playing: device, at: HostClock.now) }
    isChosen.store(true, ordering: .relaxed)
    requestMove()
  }

  /// Notes that a device has been opened; not in real time. [audio thread]
  func arrive(_ presence: PlayingDevice) {
    moveRequest.store(false, ordering: .relaxed)
    giveRequest.store(false, ordering: .relaxed)
    delay.store(-1, ordering: .relaxed)
    let stream = presence.streamParameters
    plannedDelay.store(stream.buffer - stream.period, ordering: .relaxed)
    delayStep.store(stream.sampleRate / 5000, ordering: .relaxed)
    bufferLength.store(stream.buffer, ordering: .relaxed)
    let wasChosen = isChosen.exchange(false, ordering: .relaxed)
    choice.withLock { $0?.play(on: presence.parameters.device, at: HostClock.now) }
    let previous = present.withLock { present in
      defer { present = presence }
      return present
    }
    if previous != nil { moves.add(1, ordering: .relaxed) }
    let hasItsName = previous?.parameters.device == presence.parameters.device
    news.tell(
      wasChosen ? .chosen : hasItsName ? .defaultChanged : .deviceAvailable, from: previous?.route, to: presence.route)
  }

  /// Notes a measured delay, unless it differs little from what is known: people are told of each change. [audio
  /// thread]
  @_noLocks @_noAllocation
  func note(delay frames: Int) {
    let known = delay.load(ordering: .relaxed)
    let difference = frames &- (known < 0 ? plannedDelay.load(ordering: .relaxed) : known)
    let least = delayStep.load(ordering: .relaxed)
    guard abs(difference) > (known < 0 ? least : 5 &* least) else { return }
    delay.store(frames, ordering: .relaxed)
  }

  /// Keeps the longest times. [audio thread]
  @_noLocks @_noAllocation
  func noteRender(nanoseconds: UInt64) {
    if nanoseconds > recentRender.load(ordering: .relaxed) { recentRender.store(nanoseconds, ordering: .relaxed) }
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

  package init(
    framesWritten: Int, xruns: Int, suspensions: Int = 0, stalls: Int = 0, departures: Int = 0, moves: Int = 0,
    peakLoad: Double = 0, scheduling: ThreadScheduling = .unpaced
  ) {
    (self.framesWritten, self.xruns, self.suspensions) = (framesWritten, xruns, suspensions)
    (self.stalls, self.departures, self.moves) = (stalls, departures, moves)
    (self.peakLoad, self.scheduling) = (peakLoad, scheduling)
  }
}

/// A device's position in the stream, as its own thread last saw it. Written and read by that thread; atomic only
/// because it is part of a shared exchange.
package struct PCMPosition: ~Copyable {
  private let queuedFrames = Atomic(0)
  private let nanoseconds = Atomic<UInt64>(0)
  private let running = Atomic(false)
  private let interruptionCount = Atomic(0)
  private let wanted = Atomic(false)
  /// Frames of the stream per frame of the device.
  private let stepBits = Atomic((1.0).bitPattern)
  private let unplayed = Atomic(0)

  /// Enables it. Otherwise the device is not asked, because that takes four system calls a period where the kernel's
  /// status cannot be mapped, as on some architectures, before the start. [control thread]
  func want() { wanted.store(true, ordering: .relaxed) }

  /// Notes how many frames waited in the buffer at a time on `HostClock`. [audio thread]
  @_noLocks @_noAllocation
  func note(queued: Int, at time: UInt64, isRunning: Bool) {
    queuedFrames.store(queued, ordering: .relaxed)
    nanoseconds.store(time, ordering: .relaxed)
    running.store(isRunning, ordering: .relaxed)
  }

  /// Begins with a device one of whose frames lasts as long as `step` frames of the stream. [audio thread]
  @_noLocks @_noAllocation
  func convert(step: Double) {
    stepBits.store(step.bitPattern, ordering: .relaxed)
    unplayed.store(0, ordering: .relaxed)
  }

  /// Notes how many frames of the stream were rendered but not given to the device. [audio thread]
  @_noLocks @_noAllocation
  func note(unplayed count: Int) { unplayed.store(count, ordering: .relaxed) }

  /// Notes that the device has lost its place: it was prepared again, removed or replaced by a timer. [audio thread]
  @_noLocks @_noAllocation
  func interrupt() {
    running.store(false, ordering: .relaxed)
    interruptionCount.add(1, ordering: .relaxed)
  }

  /// The latest note, in frames of the stream; nil while the device does not play. [audio thread]
  var present: (queued: Int, time: UInt64)? {
    @_noLocks @_noAllocation get {
      guard running.load(ordering: .relaxed) else { return nil }
      let queued = Double(queuedFrames.load(ordering: .relaxed)) * Double(bitPattern: stepBits.load(ordering: .relaxed))
      return (Int(queued) &+ unplayed.load(ordering: .relaxed), nanoseconds.load(ordering: .relaxed))
    }
  }

  /// How often the device has lost its place. [audio thread]
  var interruptions: Int {
    @_noLocks @_noAllocation get { interruptionCount.load(ordering: .relaxed) }
  }
}

extension PCMPosition {
  /// Notes the position of a device with a buffer of this many frames, if enabled. The driver tells the room at its
  /// latest interrupt and the time of that, which is more exact than the time at which this thread woke; a sound server
  /// tells what waits at present. The corresponding C functions are `snd_pcm_htimestamp` and `snd_pcm_delay`. [audio
  /// thread]
  @_noLocks @_noAllocation
  func note(_ pcm: OpaquePointer, buffer: Int) {
    guard wanted.load(ordering: .relaxed) else { return }
    var available: snd_pcm_uframes_t = 0
    var time: UInt64 = 0
    let isRunning = pcm_timestamp(pcm, &available, &time)
    var queued = buffer &- Int(truncatingIfNeeded: available)
    if pcm_is_server(pcm) { _ = pcm_delay(pcm, &queued) }
    note(queued: queued, at: time, isRunning: isRunning)
  }
}
