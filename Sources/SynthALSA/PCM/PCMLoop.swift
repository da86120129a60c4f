import CSynthALSA
import Glibc
import Synchronization
import SynthDSP
import SynthRealtime

/// Why the loop over a device has ended.
enum PCMLoopEnd {
  /// A stop was requested, or the stream has ended.
  case finished
  /// A preferred device can be opened.
  case moved
  /// The device was removed.
  case gone
  /// The device is present, but keeps failing.
  case failed
  /// A more important program has asked for the device.
  case taken
}

/// The audio thread's loop while it has a device: one `switch` over the next step.
struct PCMLoop: ~Copyable {
  /// What the device has granted.
  let parameters: PCMParameters
  /// The same in frames of the stream.
  let streamParameters: PCMParameters
  /// What the device's name stands for.
  let identity: PCMIdentity?

  private let handle: PCMHandle
  private let exchange: UnsafePointer<PCMExchange>
  private let pcm: OpaquePointer
  /// Frames of the stream per frame of the device.
  private let step: Double
  private let periodMicroseconds: UInt32
  private let bufferNanoseconds: UInt64
  private var period: PCMPeriod
  /// Frames in `period`.
  private var rendered = 0
  /// Frames at the end of those that the device has not taken yet.
  private var pending = 0
  /// Frames in the device's buffer after the latest write, and the time of that.
  private var queued = (frames: 0, time: UInt64(0))
  private var recovery: PCMRecovery
  private var delay = PCMDelayMeter()

  /// Opens the device and agrees with it on the parameters. Answers at once, also if the device is busy.
  ///
  /// - Parameter stream: what the first device granted, if this one replaces it.
  init(
    opening request: PCMRequest, stream: PCMParameters?, exchange: UnsafePointer<PCMExchange>
  ) throws(PCMError) {
    let reservation = try Self.reserve(request, isReplacement: stream != nil, exchange)
    let handle = try PCMHandle(opening: request.device, reservation: reservation)
    let granted = try handle.negotiate(request)
    let converter = try Self.converter(from: stream, to: granted)
    parameters = granted
    streamParameters = granted.converted(to: stream ?? granted, reserve: converter?.pointer.pointee.reserve ?? 0)
    step = converter?.pointer.pointee.step ?? 1
    identity = handle.identity
    pcm = handle.pcm
    self.handle = consume handle
    self.exchange = exchange
    periodMicroseconds = UInt32(clamping: parameters.period * 1_000_000 / parameters.sampleRate)
    bufferNanoseconds = UInt64(clamping: parameters.buffer * 1_000_000_000 / parameters.sampleRate)
    period = PCMPeriod(parameters, converter: converter, fadesIn: stream != nil)
    recovery = PCMRecovery(parameters)
  }

  /// Agrees with other programs on the card of a device that is opened for this one alone; nil where that need not be.
  /// A replacement is left to the program that has the card; the first device is tried in any case: the kernel decides.
  private static func reserve(
    _ request: PCMRequest, isReplacement: Bool, _ exchange: UnsafePointer<PCMExchange>
  ) throws(PCMError) -> DeviceReservation? {
    guard let card = request.ownCard, !DeviceReservation.isOwn(card) else { return nil }
    // The device is closed, and the reservation released, before the exchange goes.
    nonisolated(unsafe) let exchange = exchange
    let outcome = DeviceReservation.request(card: card, device: request.device) {
      guard exchange.pointee.isRunning.load(ordering: .acquiring) else { return false }
      exchange.pointee.giveRequest.store(true, ordering: .relaxed)
      return true
    }
    switch outcome {
    case .held(let reservation): return reservation
    case .refused where isReplacement: throw PCMError("opening", request.device, .busy(holders: []))
    case .refused, .unneeded: return nil
    }
  }

  private static func converter(
    from stream: PCMParameters?, to device: PCMParameters
  ) throws(PCMError) -> Box<StreamConverter>? {
    guard let stream, (stream.sampleRate, stream.channelCount) != (device.sampleRate, device.channelCount) else {
      return nil
    }
    do throws(ResamplerError) {
      return Box(try StreamConverter(from: stream, to: device))
    } catch {
      throw PCMError("setting up", device.device, .failed(error.description))
    }
  }

  /// What the exchange holds of the device.
  var presence: PlayingDevice {
    PlayingDevice(parameters: parameters, streamParameters: streamParameters, identity: identity)
  }

  /// Whether the device takes audio. A sound server may let a device be opened that it never asks for any: silence is
  /// played on such a one until some of it is taken, for a second at most. Others do. Not in real time. [audio thread]
  func begins() -> Bool {
    guard pcm_is_server(pcm) else { return true }
    guard snd_pcm_prepare(pcm) >= 0 else { return false }
    memset(period.interleaved, 0, period.length * period.frameSize)
    for _ in 0..<parameters.buffer / parameters.period {
      guard pcm_write(pcm, period.interleaved, snd_pcm_uframes_t(period.length)) > 0 else { return false }
    }
    let deadline = HostClock.now &+ 1_000_000_000
    while HostClock.now < deadline, exchange.pointee.stopRequest.load(ordering: .relaxed) == 0 {
      let room = snd_pcm_avail_update(pcm)
      if room < 0 || room >= parameters.period { return room >= 0 }
      usleep(2000)
    }
    return false
  }

  /// Renders and writes until asked to stop or to move, or until the device is gone. [audio thread]
  mutating func run(_ source: PCMSource) -> PCMLoopEnd {
    (pending, queued) = (0, (0, 0))
    recovery.begin()
    delay = PCMDelayMeter()
    exchange.pointee.position.interrupt()
    exchange.pointee.position.convert(step: step)
    // Frames of room in the buffer, or a negative errno value.
    var room = snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING ? 0 : prepare()
    // While it plays and nothing fails, the state need not be asked for, and the room left after a write is known.
    var plays = false
    while true {
      switch PCMStop(rawValue: exchange.pointee.stopRequest.load(ordering: .acquiring)) {
      // After an xrun the pending frames are still played; a device that fails is not waited for.
      case .drain where room >= 0 || recovery.hasFailed:
        if pending > 0 { _ = renderAndWrite(source) }
        drain()
        return .finished
      case .drop:
        snd_pcm_drop(pcm)
        return .finished
      default: break
      }
      if recovery.isHopeless { return .failed }
      let isAskedFor = exchange.pointee.giveRequest.load(ordering: .relaxed)
      if isAskedFor || exchange.pointee.moveRequest.load(ordering: .relaxed) {
        period.fadeOut()
        if period.isFadedOut && pending == 0 {
          drain()
          return isAskedFor ? .taken : .moved
        }
      }
      if room >= period.length {
        let written = renderAndWrite(source)
        room = written < 0 ? written : room - written
        if written > 0 { queued = (parameters.buffer - room, HostClock.now) }
        plays = plays && written >= 0
      } else if plays {
        room = waitForRoom()
        plays = room >= period.length
      } else {
        if room >= 0 { room = snd_pcm_avail_update(pcm) }
        switch PCMLoopStep(state: snd_pcm_state(pcm), result: room, period: period.length) {
        case .writable: break
        case .full: plays = true
        case .filled:
          recovery.attempt()
          room = Int(snd_pcm_start(pcm))
        case .unprepared: room = prepare()
        case .xrun:
          exchange.pointee.position.interrupt()
          room = prepare()
          if room >= 0, !recovery.hasFailed { exchange.pointee.xruns.add(1, ordering: .relaxed) }
        case .suspended: room = resume()
        case .disconnected: return .gone
        case .failed:
          recovery.attempt()
          room = 0
        }
      }
    }
  }

  /// About how many frames of the stream the device has not played that were rendered for it, if it has just been lost.
  /// One that lived would have taken a period in a period's time.
  var unheard: Int {
    let elapsed = min(HostClock.now &- queued.time, UInt64(periodMicroseconds) * 1000)
    let played = Int(elapsed) * parameters.sampleRate / 1_000_000_000
    return Int(Double(max(0, queued.frames - played) + pending) * step)
  }

  /// Renders a period, unless part of the last one is left, and writes it: the frames taken, or an error.
  @_noLocks @_noAllocation
  private mutating func renderAndWrite(_ source: PCMSource) -> Int {
    if pending == 0 {
      exchange.pointee.position.note(pcm, buffer: parameters.buffer)
      let start = HostClock.now
      noteDelay(at: start)
      rendered = period.render(source, position: exchange.pointee.position)
      exchange.pointee.noteRender(nanoseconds: HostClock.now &- start)
      pending = rendered
      if rendered < period.length { exchange.pointee.requestDrain() }
    }
    let unwritten = period.interleaved + (rendered &- pending) &* period.frameSize
    let written = pcm_write(pcm, unwritten, snd_pcm_uframes_t(truncatingIfNeeded: pending))
    if written > 0 {
      pending &-= written
      recovery.note(frames: written)
      exchange.pointee.framesWritten.add(written, ordering: .relaxed)
    }
    return written
  }

  /// Asks how long the frames that are rendered next wait until they are heard.
  @_noLocks @_noAllocation
  private mutating func noteDelay(at time: UInt64) {
    var queued: snd_pcm_sframes_t = 0
    guard exchange.pointee.isPaced.load(ordering: .relaxed), pcm_delay(pcm, &queued),
      let frames = delay.note(Int(queued), at: time)
    else { return }
    exchange.pointee.note(delay: Int(Double(frames) * step))
  }

  /// Sleeps until a period fits, a tenth of a second at most, so that a stalled device cannot keep a stop from working.
  private mutating func waitForRoom() -> Int {
    // Only a device that makes its writer wait has a clock. With one that does not, a thread of real-time priority
    // would keep a processor from all others.
    if !exchange.pointee.isPaced.exchange(true, ordering: .relaxed) { exchange.pointee.scheduling.make() }
    let ready = snd_pcm_wait(pcm, 100)
    if ready == 0 { exchange.pointee.stalls.add(1, ordering: .relaxed) }
    recovery.noteWait()
    guard ready > 0 else { return Int(ready) }
    // Some plugins report room before a whole period is free; spinning until it is would be worse than a short sleep.
    let available = snd_pcm_avail_update(pcm)
    if available >= 0 && available < period.length { usleep(periodMicroseconds / 4) }
    return available
  }

  /// Wakes a suspended device; hardware that cannot resume is prepared again. The C function is `snd_pcm_resume`.
  private mutating func resume() -> Int {
    let result = snd_pcm_resume(pcm)
    if result == -EAGAIN {
      recovery.attempt(pause: 100_000)
      return 0
    }
    exchange.pointee.position.interrupt()
    if result >= 0 { recovery.prepare() }
    let room = result < 0 ? prepare() : 0
    if room >= 0 { exchange.pointee.suspensions.add(1, ordering: .relaxed) }
    return room
  }

  /// Makes the PCM ready for frames: 0, or a negative errno value. The C function is `snd_pcm_prepare`.
  private mutating func prepare() -> Int {
    recovery.prepare()
    return Int(snd_pcm_prepare(pcm))
  }

  /// Lets the buffer play out: until a drop is requested, or for half a second longer than it lasts.
  ///
  /// A non-blocking `snd_pcm_drain` only begins to drain, and dmix not even that, so state and room are watched.
  private func drain() {
    let deadline = HostClock.now &+ bufferNanoseconds &+ 500_000_000
    if snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED { snd_pcm_start(pcm) }
    if snd_pcm_drain(pcm) == -EAGAIN {
      while HostClock.now < deadline, exchange.pointee.stopRequest.load(ordering: .relaxed) != PCMStop.drop.rawValue {
        // In this order: dmix updates its state only when asked for room.
        let available = snd_pcm_avail_update(pcm)
        let state = snd_pcm_state(pcm)
        guard state == SND_PCM_STATE_RUNNING || state == SND_PCM_STATE_DRAINING else { break }
        guard (0..<parameters.buffer).contains(available) else { break }
        usleep(2000)
      }
    }
    snd_pcm_drop(pcm)
  }
}
