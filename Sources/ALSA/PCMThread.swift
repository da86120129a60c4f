import CRealtime
import Glibc
import Synchronization

/// What an output's thread does: it plays on a device, and when that vanishes it waits for one.
struct PCMThread: ~Copyable {
  /// Whom to ask for audio; set while no thread runs.
  var source: PCMSource?

  /// For what the graph was built for, the most wanted device first.
  let requests: [PCMRequest]

  private let exchange: UnsafePointer<PCMExchange>
  private let absence: PCMAbsence
  /// What the present device has granted, or the last one if it is away.
  private(set) var parameters: PCMParameters
  /// None while the device is away.
  private var loop: PCMLoop?

  /// Opens the first device of those requested that can be opened; throws what is wrong with the very first if none can.
  init(_ request: PCMRequest, exchange: UnsafePointer<PCMExchange>) throws(PCMError) {
    let loop = try Self.open(request.alternatives, exchange: exchange)
    let parameters = loop.parameters
    let presence = PCMPresence(parameters: parameters, identity: loop.identity)
    self.parameters = parameters
    self.exchange = exchange
    requests = request.alternatives.map { $0.repeated(parameters) }
    absence = PCMAbsence(requests: requests, exchange: exchange)
    self.loop = consume loop
    let index = request.alternatives.firstIndex { $0.device == parameters.device } ?? 0
    exchange.pointee.ranking.withLock { [count = requests.count] in
      $0 = DeviceRanking(count: count, present: index, at: HostClock.now)
    }
    exchange.pointee.arrive(presence, at: index)
  }

  private static func open(
    _ requests: [PCMRequest], exchange: UnsafePointer<PCMExchange>
  ) throws(PCMError) -> PCMLoop {
    var failure: PCMError?
    for request in requests {
      do throws(PCMError) {
        return try PCMLoop(opening: request, exchange: exchange, fadesIn: false)
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? PCMError("opening", "", .noSuchDevice)
  }

  /// Renders until asked to stop. [audio thread]
  mutating func run() {
    exchange.pointee.isPaced.store(false, ordering: .relaxed)
    exchange.pointee.moveRequest.store(false, ordering: .relaxed)
    exchange.pointee.scheduling.begin()
    defer {
      exchange.pointee.scheduling.end()
      exchange.pointee.isRunning.store(false, ordering: .releasing)
    }
    realtime_flush_denormals()
    guard let source else { return }
    while true {
      // None at the start if the output was stopped while its device was away.
      if let end = loop?.run(source) {
        if end == .finished { return }
        // Closed at once, because until then the driver keeps the device's place.
        loop = nil
        if end == .failed { exchange.pointee.ranking.withLock { $0?.noteFailure(at: HostClock.now) } }
        if end != .moved { exchange.pointee.depart() }
      }
      guard let opened = absence.wait(parameters, source) else { return }
      parameters = opened.parameters
      loop = consume opened
    }
  }
}
