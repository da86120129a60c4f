import Glibc
import Realtime
import Synchronization

/// The thread that looks at whatever is observed; there is one while anything is.
final class ObservationThread: Sendable {
  static let shared = ObservationThread()

  /// In microseconds: a hundredth of a second, which nobody who looks at a screen will notice.
  private static let interval: UInt32 = 10_000

  private struct State {
    var watches: [ObjectIdentifier: Watch] = [:]
    var isRunning = false
  }

  private let state = Mutex(State())

  func add(_ watch: Watch) {
    state.withLock { state in
      state.watches[ObjectIdentifier(watch)] = watch
      if !state.isRunning { state.isRunning = start() }
    }
  }

  func remove(_ watch: Watch) {
    _ = state.withLock { $0.watches.removeValue(forKey: ObjectIdentifier(watch)) }
  }

  /// False when the system has no thread left; the next observer tries again.
  private func start() -> Bool {
    guard let thread = try? QuietThread(named: "observation", { [self] in run() }) else { return false }
    thread.detach()
    return true
  }

  private func run() {
    while true {
      usleep(Self.interval)
      let watches = state.withLock { state in
        state.isRunning = !state.watches.isEmpty
        return Array(state.watches.values)
      }
      guard !watches.isEmpty else { return }
      for watch in watches where !watch.isCancelled.load(ordering: .relaxed) { watch.look() }
    }
  }
}

/// One thing that is looked at.
final class Watch: Sendable {
  let isCancelled = Atomic<Bool>(false)
  let look: @Sendable () -> Void

  init(_ look: @escaping @Sendable () -> Void) { self.look = look }
}
