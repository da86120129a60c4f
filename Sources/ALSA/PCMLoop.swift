import CALSA
import CRealtime
import DSP
import Glibc
import Synchronization

/// The audio thread's side of an output: its buffers, and the loop over the PCM's conditions.
struct PCMLoop: ~Copyable {
  /// Whom to ask for audio; set while no thread runs.
  var source: (callback: PCMRenderCallback, context: UnsafeMutableRawPointer)?

  private let exchange: UnsafePointer<PCMExchange>
  private let pcm: OpaquePointer
  private let format: SampleFormat
  private let period: Int
  private let periodMicroseconds: UInt32
  private let buffer: Int
  private let bufferNanoseconds: UInt64
  private let channelCount: Int
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let interleaved: UnsafeMutableRawPointer
  /// Frames in `interleaved`.
  private var rendered = 0
  /// Frames at their end that the device has not taken yet.
  private var pending = 0
  private var faults = 0

  init(pcm: OpaquePointer, parameters: PCMParameters, exchange: UnsafePointer<PCMExchange>) {
    self.exchange = exchange
    self.pcm = pcm
    format = parameters.format
    period = parameters.period
    periodMicroseconds = UInt32(clamping: parameters.period * 1_000_000 / parameters.rate)
    buffer = parameters.buffer
    bufferNanoseconds = UInt64(clamping: parameters.buffer * 1_000_000_000 / parameters.rate)
    channelCount = parameters.channels
    channels = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: period)
      samples.initialize(repeating: 0, count: period)
      (channels + channel).initialize(to: samples)
    }
    interleaved = .allocate(byteCount: period * channelCount * format.byteCount, alignment: 64)
  }

  deinit {
    for channel in 0..<channelCount { channels[channel].deallocate() }
    channels.deallocate()
    interleaved.deallocate()
  }

  /// Renders and writes until asked to stop: 0, or the negative errno value that ended it. [audio thread]
  mutating func run() -> Int32 {
    defer { exchange.pointee.isRunning.store(false, ordering: .releasing) }
    exchange.pointee.scheduling.store(0, ordering: .relaxed)
    realtime_flush_denormals()
    var result = Int(snd_pcm_prepare(pcm))
    (pending, faults) = (0, 0)
    while true {
      switch PCMStop(rawValue: exchange.pointee.stopRequest.load(ordering: .acquiring)) {
      case .drain where result >= 0:
        if pending > 0 { _ = renderAndWrite() }
        drain()
        return 0
      case .drop:
        snd_pcm_drop(pcm)
        return 0
      default: break
      }
      if result >= 0 { result = snd_pcm_avail_update(pcm) }
      switch PCMCondition(state: snd_pcm_state(pcm), result: result, period: period) {
      case .writable: result = renderAndWrite()
      case .full: result = waitForRoom()
      case .filled: result = Int(snd_pcm_start(pcm))
      case .unprepared: result = Int(snd_pcm_prepare(pcm))
      case .xrun:
        exchange.pointee.xruns.add(1, ordering: .relaxed)
        result = Int(snd_pcm_prepare(pcm))
      case .suspended: result = resume()
      case .disconnected: return -ENODEV
      case .failed(let code):
        // A device being pulled out may answer -EIO for a moment before it says -ENODEV.
        faults += 1
        if faults > 20 { return code }
        usleep(5000)
        result = 0
      }
    }
  }

  /// Renders a period, unless some of the last is left, and writes it: what the device took, or an error.
  @_noLocks @_noAllocation
  private mutating func renderAndWrite() -> Int {
    if pending == 0, let (callback, context) = source {
      let start = pcm_clock()
      realtime_enter()
      let asked = Int32(truncatingIfNeeded: period)
      let count = pcm_render(callback, context, channels, Int32(truncatingIfNeeded: channelCount), asked)
      rendered = min(max(0, Int(count)), period)
      interleave(channels, channelCount: channelCount, frameCount: rendered, into: interleaved, as: format)
      realtime_exit()
      exchange.pointee.noteRender(nanoseconds: pcm_clock() &- start)
      pending = rendered
      if rendered < period { exchange.pointee.requestDrain() }
    }
    let offset = (rendered &- pending) &* channelCount &* format.byteCount
    let written = pcm_write(pcm, interleaved + offset, snd_pcm_uframes_t(truncatingIfNeeded: pending))
    if written > 0 {
      pending &-= written
      faults = 0
      exchange.pointee.framesWritten.add(written, ordering: .relaxed)
    }
    return written
  }

  /// Sleeps until a period fits, a tenth of a second at most, so that a stalled device cannot keep a stop from working.
  private func waitForRoom() -> Int {
    // Only a device that makes its writer wait is paced by a clock. One that never does would, at real-time priority,
    // take a processor from everybody else.
    if exchange.pointee.scheduling.load(ordering: .relaxed) == 0 {
      exchange.pointee.scheduling.store(ThreadScheduling.requestRealTime(), ordering: .relaxed)
    }
    let ready = snd_pcm_wait(pcm, 100)
    if ready == 0 { exchange.pointee.stalls.add(1, ordering: .relaxed) }
    guard ready > 0 else { return Int(ready) }
    // Some plugins report room before a whole period is free; spinning until it is would be worse than a short sleep.
    let available = snd_pcm_avail_update(pcm)
    if available >= 0 && available < period { usleep(periodMicroseconds / 4) }
    return available
  }

  /// Wakes a suspended device; hardware that cannot resume is prepared anew. The C function is `snd_pcm_resume`.
  private func resume() -> Int {
    let result = snd_pcm_resume(pcm)
    if result == -EAGAIN {
      usleep(10_000)
      return 0
    }
    exchange.pointee.suspensions.add(1, ordering: .relaxed)
    return Int(result < 0 ? snd_pcm_prepare(pcm) : 0)
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
        guard (0..<buffer).contains(available) else { break }
        usleep(2000)
      }
    }
    snd_pcm_drop(pcm)
  }
}
