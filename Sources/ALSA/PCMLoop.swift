import CALSA
import Glibc
import Synchronization

/// Why an output has left its device.
enum PCMEnd {
  /// As it was asked to, or because the stream has ended.
  case finished
  /// There is a better device.
  case moved
  /// The device is gone.
  case gone
  /// The device is there, but as good as gone.
  case failed
}

/// The audio thread while it has a device: the loop over the PCM's conditions.
struct PCMLoop: ~Copyable {
  /// What the device has granted.
  let parameters: PCMParameters
  /// What is behind the device's name.
  let identity: PCMIdentity?

  private let handle: PCMHandle
  private let exchange: UnsafePointer<PCMExchange>
  private let pcm: OpaquePointer
  private let periodMicroseconds: UInt32
  private let bufferNanoseconds: UInt64
  private var period: PCMPeriod
  /// Frames in `period`.
  private var rendered = 0
  /// Frames at their end that the device has not taken yet.
  private var pending = 0
  /// Calls that have failed, or waited in vain, since the device last took a frame.
  private var faults = 0
  /// After so many, opening the device anew may help, or playing on another: a tenth of a second of errors, for a device
  /// being pulled out may answer -EIO for a moment before it says -ENODEV, or two seconds of standing still.
  private static var mostFaults: Int { 20 }

  /// Opens the device and agrees with it on the parameters. Answers at once, also if the device is busy.
  init(opening request: PCMRequest, exchange: UnsafePointer<PCMExchange>, fadesIn: Bool) throws(PCMError) {
    let handle = try PCMHandle(opening: request.device)
    parameters = try handle.negotiate(request)
    identity = handle.identity
    pcm = handle.pcm
    self.handle = consume handle
    self.exchange = exchange
    periodMicroseconds = UInt32(clamping: parameters.period * 1_000_000 / parameters.rate)
    bufferNanoseconds = UInt64(clamping: parameters.buffer * 1_000_000_000 / parameters.rate)
    period = PCMPeriod(parameters, fadesIn: fadesIn)
  }

  /// Renders and writes until asked to stop or to move, or until the device is gone. [audio thread]
  mutating func run(_ source: PCMSource) -> PCMEnd {
    (pending, faults) = (0, 0)
    exchange.pointee.position.interrupt()
    // Frames of room in the buffer, or a negative errno value.
    var room = prepare()
    // While it plays and nothing fails, the state need not be asked for, and what room is left after a write is known.
    var plays = false
    while true {
      switch PCMStop(rawValue: exchange.pointee.stopRequest.load(ordering: .acquiring)) {
      // After an xrun what is pending is still played; a device that fails is not waited for.
      case .drain where room >= 0 || faults > 0:
        if pending > 0 { _ = renderAndWrite(source) }
        drain()
        return .finished
      case .drop:
        snd_pcm_drop(pcm)
        return .finished
      default: break
      }
      if faults >= Self.mostFaults { return .failed }
      if exchange.pointee.moveRequest.load(ordering: .relaxed) {
        period.fadeOut()
        if period.isFadedOut && pending == 0 {
          drain()
          return .moved
        }
      }
      if room >= period.length {
        let written = renderAndWrite(source)
        room = written < 0 ? written : room - written
        plays = plays && written >= 0
      } else if plays {
        room = waitForRoom()
        plays = room >= period.length
      } else {
        if room >= 0 { room = snd_pcm_avail_update(pcm) }
        switch PCMCondition(state: snd_pcm_state(pcm), result: room, period: period.length) {
        case .writable: break
        case .full: plays = true
        case .filled: room = Int(snd_pcm_start(pcm))
        case .unprepared: room = prepare()
        case .xrun:
          exchange.pointee.position.interrupt()
          room = prepare()
          if room >= 0 { exchange.pointee.xruns.add(1, ordering: .relaxed) }
        case .suspended: room = resume()
        case .disconnected: return .gone
        case .failed: room = afterFault(0)
        }
      }
    }
  }

  /// Renders a period, unless some of the last is left, and writes it: what the device took, or an error.
  @_noLocks @_noAllocation
  private mutating func renderAndWrite(_ source: PCMSource) -> Int {
    if pending == 0 {
      exchange.pointee.position.note(pcm, buffer: parameters.buffer)
      let start = pcm_clock()
      rendered = period.render(source)
      exchange.pointee.noteRender(nanoseconds: pcm_clock() &- start)
      pending = rendered
      if rendered < period.length { exchange.pointee.requestDrain() }
    }
    let unwritten = period.interleaved + (rendered &- pending) &* period.frameSize
    let written = pcm_write(pcm, unwritten, snd_pcm_uframes_t(truncatingIfNeeded: pending))
    if written > 0 {
      pending &-= written
      faults = 0
      exchange.pointee.framesWritten.add(written, ordering: .relaxed)
    }
    return written
  }

  /// Sleeps until a period fits, a tenth of a second at most, so that a stalled device cannot keep a stop from working.
  private mutating func waitForRoom() -> Int {
    // Only a device that makes its writer wait is paced by a clock. One that never does would, at real-time priority,
    // take a processor from everybody else.
    if !exchange.pointee.isPaced.exchange(true, ordering: .relaxed) { exchange.pointee.scheduling.make() }
    let ready = snd_pcm_wait(pcm, 100)
    if ready == 0 {
      exchange.pointee.stalls.add(1, ordering: .relaxed)
      faults += 1
    }
    guard ready > 0 else { return Int(ready) }
    // Some plugins report room before a whole period is free; spinning until it is would be worse than a short sleep.
    let available = snd_pcm_avail_update(pcm)
    if available >= 0 && available < period.length { usleep(periodMicroseconds / 4) }
    return available
  }

  /// Wakes a suspended device; hardware that cannot resume is prepared anew. The C function is `snd_pcm_resume`.
  private mutating func resume() -> Int {
    let result = snd_pcm_resume(pcm)
    if result == -EAGAIN {
      usleep(10_000)
      return 0
    }
    exchange.pointee.position.interrupt()
    let room = result < 0 ? prepare() : 0
    if room >= 0 { exchange.pointee.suspensions.add(1, ordering: .relaxed) }
    return room
  }

  /// Makes the PCM ready for frames: 0, or a negative errno value. The C function is `snd_pcm_prepare`.
  private mutating func prepare() -> Int {
    let code = Int(snd_pcm_prepare(pcm))
    return code < 0 ? afterFault(code) : code
  }

  /// Pauses, for trying again without end would, at real-time priority, take a processor from everybody else. Gives
  /// `room`.
  private mutating func afterFault(_ room: Int) -> Int {
    faults += 1
    usleep(5000)
    return room
  }

  /// Lets the buffer play out, for half a second more than it lasts at most, or until asked to drop.
  ///
  /// A non-blocking `snd_pcm_drain` only begins to drain, and dmix not even that: then the state or the room tells.
  private func drain() {
    let deadline = pcm_clock() &+ bufferNanoseconds &+ 500_000_000
    if snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED { snd_pcm_start(pcm) }
    if snd_pcm_drain(pcm) == -EAGAIN {
      while pcm_clock() < deadline, exchange.pointee.stopRequest.load(ordering: .relaxed) != PCMStop.drop.rawValue {
        // In this order: dmix moves its state on only when asked for room.
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
