import CRealtime
import Glibc
import Synchronization

/// What an output's thread does: it plays on a device, and when that vanishes it waits for one.
struct PCMThread: ~Copyable {
  /// Whom to ask for audio; set while no thread runs.
  var source: PCMSource?

  private let exchange: UnsafePointer<PCMExchange>
  private let absence: PCMAbsence
  /// What the present device has granted, or the last one if it is away.
  private(set) var parameters: PCMParameters
  /// None while the device is away.
  private var loop: PCMLoop?

  /// Opens the first device of those requested that can be opened; throws what is wrong with the very first if none can.
  init(_ request: PCMRequest, exchange: UnsafePointer<PCMExchange>) throws(PCMError) {
    let loop = try Self.open(request.alternatives, exchange: exchange)
    parameters = loop.parameters
    self.exchange = exchange
    absence = PCMAbsence(
      requests: request.alternatives.map { [parameters] in $0.repeated(parameters) }, exchange: exchange)
    self.loop = consume loop
    exchange.pointee.present.withLock { [parameters] in $0 = parameters }
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

  /// Renders until asked to stop: 0, or the negative errno value that ended it. [audio thread]
  mutating func run() -> Int32 {
    exchange.pointee.isPaced.store(false, ordering: .relaxed)
    exchange.pointee.scheduling.begin()
    defer {
      exchange.pointee.scheduling.end()
      exchange.pointee.isRunning.store(false, ordering: .releasing)
    }
    realtime_flush_denormals()
    guard let source else { return 0 }
    while true {
      // None at the start if the output was stopped while its device was away.
      if let code = loop?.run(source) {
        guard code == -ENODEV else { return code }
        // Closed at once, because until then the driver keeps the device's place.
        loop = nil
        exchange.pointee.depart()
      }
      guard let opened = absence.wait(parameters, source) else { return 0 }
      parameters = opened.parameters
      loop = consume opened
      exchange.pointee.present.withLock { [parameters] in $0 = parameters }
    }
  }
}
