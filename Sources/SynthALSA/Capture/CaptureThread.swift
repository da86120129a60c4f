import CSynthRealtime
import Glibc
import Synchronization
import SynthRealtime

/// The body of an input's thread: it reads a device, or gives silence while none can be opened.
struct CaptureThread: ~Copyable {
  /// What the first device granted, and all others must.
  let parameters: PCMParameters

  /// For replacement devices, in order of preference.
  private let requests: [PCMRequest]
  private var ranking: DeviceRanking
  private let exchange: UnsafePointer<PCMExchange>
  private var stream: CaptureStream
  /// Nil while there is no device.
  private var loop: CaptureLoop?

  /// In nanoseconds, as those of `PCMTimerLoop`.
  private static let firstPause: UInt64 = 20_000_000
  private static let pause: UInt64 = 500_000_000

  /// Opens the first of the requested devices that can be opened; if none can, throws the error of the first.
  init(_ request: PCMRequest, exchange: UnsafePointer<PCMExchange>) throws(PCMError) {
    let loop = try Self.open(request.alternatives, exchange: exchange)
    let granted = loop.parameters
    parameters = granted
    requests = request.alternatives.map { $0.repeated(granted) }
    ranking = DeviceRanking(
      count: requests.count, present: request.alternatives.firstIndex { $0.device == granted.device } ?? 0,
      at: HostClock.now)
    stream = CaptureStream(granted)
    self.exchange = exchange
    exchange.pointee.arrive(loop.presence)
    self.loop = consume loop
  }

  private static func open(
    _ requests: [PCMRequest], exchange: UnsafePointer<PCMExchange>
  ) throws(PCMError) -> CaptureLoop {
    var failure: PCMError?
    for request in requests {
      do throws(PCMError) {
        return try CaptureLoop(opening: request, exchange: exchange)
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? PCMError("opening", "", .noSuchDevice)
  }

  /// Begins a stream, before the start. [control thread]
  mutating func begin(_ sink: PCMSink) { stream.begin(sink) }

  /// Reads until asked to stop. [audio thread]
  mutating func run() {
    exchange.pointee.isPaced.store(false, ordering: .relaxed)
    exchange.pointee.scheduling.begin()
    defer {
      exchange.pointee.scheduling.end()
      exchange.pointee.isRunning.store(false, ordering: .releasing)
    }
    realtime_flush_denormals()
    while true {
      if let end = loop?.run(&stream) {
        if end == .finished { return }
        // Closed at once: the driver cannot remove the device while it is open.
        loop = nil
        if end == .failed { ranking.noteFailure(at: HostClock.now) }
        exchange.pointee.depart()
      }
      guard let opened = wait() else { return }
      loop = consume opened
    }
  }

  /// Gives silence until a device can be opened; nil if asked to stop.
  private mutating func wait() -> CaptureLoop? {
    var nextAttempt = HostClock.now + Self.firstPause
    while exchange.pointee.stopRequest.load(ordering: .acquiring) == 0 {
      exchange.pointee.framesLost.add(stream.fill(until: HostClock.now), ordering: .relaxed)
      if HostClock.now >= nextAttempt {
        if let loop = reopen() { return loop }
        nextAttempt = HostClock.now + Self.pause
      }
      usleep(UInt32(clamping: min(50_000, parameters.period * 1_000_000 / parameters.sampleRate)))
    }
    return nil
  }

  /// The first device that can be opened with the rate and channels of the stream. A busy one may be free at the next
  /// attempt.
  private mutating func reopen() -> CaptureLoop? {
    for index in ranking.candidates(at: HostClock.now) {
      guard let loop = try? CaptureLoop(opening: requests[index], exchange: exchange),
        loop.parameters.sampleRate == parameters.sampleRate, loop.parameters.channelCount == parameters.channelCount,
        loop.parameters.period <= parameters.period
      else { continue }
      ranking.play(on: index, at: HostClock.now)
      exchange.pointee.arrive(loop.presence)
      return loop
    }
    return nil
  }
}
