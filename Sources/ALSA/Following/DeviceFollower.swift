import CALSA
import Glibc
import Realtime

/// Looks out for a better device while an output plays, on a thread of its own: one that is wanted more than the present
/// one has come back, or `default` has become another device. The audio thread then moves.
final class DeviceFollower: @unchecked Sendable {
  // Unchecked: `configuration` belongs to the thread, the rest does not change.

  private let requests: [PCMRequest]
  private let exchange: UnsafePointer<PCMExchange>
  private let stopSignal = eventfd(0, Int32(EFD_CLOEXEC))
  private var thread: QuietThread?
  private var configuration = ConfigurationFiles()

  /// Milliseconds between two looks while no device comes or goes.
  private static let pause: Int32 = 1000

  /// Begins to look out; nil if there is nothing to look out for, or no thread to be had.
  ///
  /// - Parameters:
  ///   - requests: for what the graph was built for, the most wanted first.
  ///   - exchange: must outlive it.
  init?(_ requests: [PCMRequest], exchange: UnsafePointer<PCMExchange>) {
    self.requests = requests
    self.exchange = exchange
    guard requests.count > 1 || requests.contains(where: \.isForDefault), stopSignal >= 0 else { return nil }
    // The owner stops the thread before it lets go.
    thread = try? QuietThread(named: "device watch", stackSize: QuietThread.alsaStackSize) { [self] in run() }
    guard thread != nil else { return nil }
  }

  /// Ends the thread and waits for it. Called once.
  func stop() {
    eventfd_write(stopSignal, 1)
    thread?.join()
  }

  deinit { if stopSignal >= 0 { close(stopSignal) } }

  private func run() {
    let watch = SoundDeviceWatch()
    // How often `default` is still to be looked at after a change: it may be busy for a moment.
    var looks = 0
    while true {
      let change = watch.wait(milliseconds: Self.pause, orUntilReadable: stopSignal)
      if change == .interrupted { return }
      if configuration.haveChanged() || change == .devices { looks = 5 }
      guard exchange.pointee.isRunning.load(ordering: .acquiring), exchange.pointee.present.withLock({ $0 != nil })
      else {
        continue
      }
      if hasBetterDevice() { exchange.pointee.requestMove() }
      if looks > 0 { looks = lookAtDefault() ? 0 : looks - 1 }
    }
  }

  private func hasBetterDevice() -> Bool {
    let better = exchange.pointee.ranking.withLock { $0?.better(at: HostClock.now) ?? [] }
    return better.contains { identity(of: requests[$0]) != nil }
  }

  /// Moves if `default` plays and is another device now; false if that could not be found out.
  private func lookAtDefault() -> Bool {
    let present = exchange.pointee.present.withLock { $0 }
    guard let present, let request = requests.first(where: { $0.device == present.parameters.device }),
      request.isForDefault
    else { return true }
    guard let identity = identity(of: request) else { return false }
    if identity != present.identity { exchange.pointee.requestMove() }
    return true
  }

  /// What would play; nil if it cannot be opened for what is needed. It is opened for a moment.
  private func identity(of request: PCMRequest) -> PCMIdentity? {
    guard let handle = PCMHandle(probing: request.device), (try? handle.negotiate(request)) != nil else { return nil }
    return handle.identity
  }
}

extension PCMRequest {
  /// Whether it is for the device that the configuration names.
  var isForDefault: Bool { device == "default" }
}
