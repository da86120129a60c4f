import CSynthRealtime
import Glibc
import Synchronization
import SynthRealtime

/// The body of an output's thread: it plays on a device, or renders on a timer while no device can be opened.
struct PCMThread: ~Copyable {
  private let exchange: UnsafePointer<PCMExchange>
  private let absence: PCMTimerLoop
  /// What the first device granted: what the source renders for all devices.
  let stream: PCMParameters
  private let history: Box<PCMHistory>
  /// Nil while there is no device.
  private var loop: PCMLoop?

  /// Opens the first of the requested devices that can be opened; if none can, throws the error of the first.
  init(_ request: PCMRequest, exchange: UnsafePointer<PCMExchange>) throws(PCMError) {
    let loop = try Self.open(request.alternatives, exchange: exchange)
    let presence = loop.presence
    let stream = loop.parameters
    self.stream = stream
    self.exchange = exchange
    absence = PCMTimerLoop(exchange: exchange)
    history = Box(PCMHistory(stream))
    self.loop = consume loop
    let requests = request.alternatives.map { $0.repeated(stream) }
    exchange.pointee.choice.withLock { $0 = DeviceChoice(requests, playing: stream.device, at: HostClock.now) }
    exchange.pointee.arrive(presence)
  }

  private static func open(
    _ requests: [PCMRequest], exchange: UnsafePointer<PCMExchange>
  ) throws(PCMError) -> PCMLoop {
    var failure: PCMError?
    for request in requests {
      do throws(PCMError) {
        return try PCMLoop(opening: request, stream: nil, exchange: exchange)
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? PCMError("opening", "", .noSuchDevice)
  }

  /// Begins a stream, before the start. [control thread]
  ///
  /// - Parameter repeats: whether frames that a lost device has not played are given to the next one.
  func begin(_ source: PCMSource, repeats: Bool) { history.pointer.pointee.begin(source, repeats: repeats) }

  /// Closes the device, if the thread does not run. [control thread]
  mutating func close() { loop = nil }

  /// Renders until asked to stop. [audio thread]
  mutating func run() {
    exchange.pointee.isPaced.store(false, ordering: .relaxed)
    exchange.pointee.moveRequest.store(exchange.pointee.isChosen.load(ordering: .relaxed), ordering: .relaxed)
    exchange.pointee.giveRequest.store(false, ordering: .relaxed)
    exchange.pointee.scheduling.begin()
    defer {
      exchange.pointee.scheduling.end()
      exchange.pointee.isRunning.store(false, ordering: .releasing)
    }
    realtime_flush_denormals()
    let heard = PCMSource(callback: PCMHistory.callback, context: history.pointer)
    let unheard = PCMSource(callback: PCMHistory.unheard, context: history.pointer)
    while true {
      // Nil at the start if the output was stopped while it had no device.
      if let end = loop?.run(heard) {
        if end == .finished { return }
        // After a fade nothing is missing.
        if end == .gone || end == .failed { history.pointer.pointee.rewind(loop?.unheard ?? 0) }
        // Closed at once: the driver cannot remove the device while it is open.
        loop = nil
        if end == .failed { exchange.pointee.choice.withLock { $0?.ranking.noteFailure(at: HostClock.now) } }
        if end == .taken { exchange.pointee.choice.withLock { $0?.ranking.noteTaking(at: HostClock.now) } }
        if end != .moved { exchange.pointee.depart(end == .taken ? .taken : .deviceGone) }
      }
      guard let opened = absence.wait(stream, unheard) else { return }
      loop = consume opened
    }
  }
}
