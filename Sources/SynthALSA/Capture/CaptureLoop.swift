import CSynthALSA
import Glibc
import Synchronization
import SynthDSP
import SynthRealtime

/// The thread's loop while an input has a device: one `switch` over the next step. [audio thread]
struct CaptureLoop: ~Copyable {
  /// What the device has granted.
  let parameters: PCMParameters
  /// What the device's name stands for.
  let identity: PCMIdentity?

  private let handle: PCMHandle
  private let exchange: UnsafePointer<PCMExchange>
  private let pcm: OpaquePointer
  /// A period in the device's format.
  private let frames: UnsafeMutableRawPointer
  /// Whether frames may have been lost before the next period.
  private var isResuming = true
  private var recovery: PCMRecovery

  /// Opens the device and agrees with it on the parameters. Answers at once, also if the device is busy.
  init(opening request: PCMRequest, exchange: UnsafePointer<PCMExchange>) throws(PCMError) {
    let handle = try PCMHandle(opening: request.device, .capture)
    parameters = try handle.negotiate(request)
    recovery = PCMRecovery(parameters)
    identity = handle.identity
    pcm = handle.pcm
    self.handle = consume handle
    self.exchange = exchange
    let byteCount = parameters.period * parameters.channelCount * parameters.format.byteCount
    frames = .allocate(byteCount: byteCount, alignment: 64)
    // `null` writes nothing.
    frames.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  deinit { frames.deallocate() }

  /// What the exchange holds of the device.
  var presence: PlayingDevice {
    PlayingDevice(parameters: parameters, streamParameters: parameters, identity: identity)
  }

  /// Reads until asked to stop, or until the device is gone.
  mutating func run(_ stream: inout CaptureStream) -> PCMLoopEnd {
    recovery.begin()
    // Captured frames that wait, or a negative errno value.
    var available = prepare()
    while exchange.pointee.stopRequest.load(ordering: .acquiring) == 0 {
      if recovery.isHopeless { return .failed }
      if available >= parameters.period {
        available = read(available, &stream)
        continue
      }
      if available >= 0 { available = snd_pcm_avail_update(pcm) }
      switch PCMLoopStep(state: snd_pcm_state(pcm), result: available, period: parameters.period) {
      case .writable: break
      case .full: available = wait()
      case .filled:
        recovery.attempt()
        available = Int(snd_pcm_start(pcm))
      case .unprepared: available = prepare()
      case .xrun:
        available = prepare()
        if available >= 0, !recovery.hasFailed { exchange.pointee.xruns.add(1, ordering: .relaxed) }
      case .suspended: available = resume()
      case .disconnected: return .gone
      case .failed:
        recovery.attempt()
        available = 0
      }
    }
    snd_pcm_drop(pcm)
    return .finished
  }

  /// Reads a period and passes it on: how many frames are left, or an error.
  private mutating func read(_ available: Int, _ stream: inout CaptureStream) -> Int {
    let time = exchange.pointee.isPaced.load(ordering: .relaxed) ? captureTime(available) : pacedTime(stream)
    let count = pcm_read(pcm, frames, snd_pcm_uframes_t(parameters.period))
    guard count > 0 else { return count }
    recovery.note(frames: count)
    if isResuming {
      isResuming = false
      exchange.pointee.framesLost.add(stream.fill(until: time), ordering: .relaxed)
    }
    stream.give(frames, as: parameters.format, frameCount: count, capturedAt: time)
    exchange.pointee.framesWritten.add(count, ordering: .relaxed)
    return available - count
  }

  /// When the first frame that waits was captured.
  private func captureTime(_ available: Int) -> UInt64 {
    var waiting = snd_pcm_uframes_t(clamping: available)
    var time: UInt64 = 0
    if !pcm_timestamp(pcm, &waiting, &time) {
      (waiting, time) = (snd_pcm_uframes_t(clamping: available), HostClock.now)
    }
    return time &- UInt64(Int(clamping: waiting) * 1_000_000_000 / parameters.sampleRate)
  }

  /// The time that follows from the count of frames, for a device without a clock: waits until a period of them is
  /// over.
  private func pacedTime(_ stream: borrowing CaptureStream) -> UInt64 {
    let time = isResuming ? HostClock.now : stream.next ?? HostClock.now
    let due = time &+ stream.duration(parameters.period)
    var now = HostClock.now
    while now < due, exchange.pointee.stopRequest.load(ordering: .acquiring) == 0 {
      usleep(UInt32(min(50_000, (due - now) / 1000 + 1)))
      now = HostClock.now
    }
    return time
  }

  /// Sleeps until a period is captured, a tenth of a second at most.
  private mutating func wait() -> Int {
    // As an output: only a device that makes its reader wait has a clock, and is read in real time.
    if !exchange.pointee.isPaced.exchange(true, ordering: .relaxed) { exchange.pointee.scheduling.make() }
    let ready = snd_pcm_wait(pcm, 100)
    if ready == 0 { exchange.pointee.stalls.add(1, ordering: .relaxed) }
    recovery.noteWait()
    guard ready > 0 else { return Int(ready) }
    let available = snd_pcm_avail_update(pcm)
    // Some plugins report frames before a whole period is captured.
    if available >= 0 && available < parameters.period {
      usleep(UInt32(clamping: (parameters.period - available) * 1_000_000 / parameters.sampleRate + 1))
    }
    return available
  }

  /// Wakes a suspended device; hardware that cannot resume is prepared again. The C function is `snd_pcm_resume`.
  private mutating func resume() -> Int {
    let result = snd_pcm_resume(pcm)
    if result == -EAGAIN {
      recovery.attempt(pause: 100_000)
      return 0
    }
    isResuming = true
    if result >= 0 { recovery.prepare() }
    let available = result < 0 ? prepare() : 0
    if available >= 0 { exchange.pointee.suspensions.add(1, ordering: .relaxed) }
    return available
  }

  /// Makes the PCM ready: 0, or a negative errno value. The C function is `snd_pcm_prepare`.
  private mutating func prepare() -> Int {
    isResuming = true
    recovery.prepare()
    return Int(snd_pcm_prepare(pcm))
  }
}
