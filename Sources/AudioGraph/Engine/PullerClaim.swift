import Glibc
import Synchronization
import SynthRealtime

/// Who pulls an engine: one at a time, the first to ask. [any thread]
final class PullerClaim: Sendable {
  private let holder = Atomic<Int>(0)

  var present: Puller { Puller(rawValue: holder.load(ordering: .acquiring)) ?? .nobody }

  /// - Parameter operation: what it is claimed for, as the beginning of an error: "starting".
  func claim(_ puller: Puller, _ operation: String) throws(EngineError) {
    while let holder = take(puller.rawValue) {
      guard holder == Self.pause else { throw .pulled(operation: operation, by: Puller(rawValue: holder) ?? .nobody) }
      sched_yield()
    }
  }

  func release() { holder.store(Puller.nobody.rawValue, ordering: .releasing) }

  /// Runs `body` if the engine is not pulled; a claim that comes meanwhile waits for it.
  func whileFree(_ body: () -> Void) {
    guard take(Self.pause) == nil else { return }
    body()
    release()
  }

  private static let pause = -1

  /// Becomes the holder; else tells who it is.
  private func take(_ value: Int) -> Int? {
    let (isTaken, present) = holder.compareExchange(
      expected: Puller.nobody.rawValue, desired: value, ordering: .acquiringAndReleasing)
    return isTaken ? nil : present
  }
}

/// A claim to pull an engine, which lasts as long as this object does.
final class PullerLease: Sendable {
  private let engine: AudioEngine

  fileprivate init(_ engine: AudioEngine) { self.engine = engine }

  deinit { engine.puller.release() }
}

extension AudioEngine {
  /// Claims the engine for a node of another one. [control thread]
  func lease(to name: String, channelCount: Int) throws -> PullerLease {
    try control.withLock { control in
      try puller.claim(.outerEngine, "nesting")
      let lease = PullerLease(self)
      if let count = graph.outputNode?.deviceChannelCount, count != channelCount {
        throw EngineError.channelCount(outputNode: count, player: name, channels: channelCount)
      }
      control.outer = (name, channelCount)
      return lease
    }
  }
}

/// Makes edits and the life cycle of one engine take turns. [control thread]
///
/// A thread that comes back for it while it holds it gets an error in place of a deadlock.
struct ControlLock<State: Sendable>: ~Copyable, Sendable {
  private let state: CheckedMutex<State>
  /// The thread that holds it; 0 for none. Only a thread itself can find itself here.
  private let owner = Atomic<UInt>(0)

  init(_ state: State) { self.state = CheckedMutex(state) }

  borrowing func withLock<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    let caller = UInt(pthread_self())
    guard owner.load(ordering: .relaxed) != caller else { throw EngineError.withinEdit }
    return try state.withLock { state in
      owner.store(caller, ordering: .relaxed)
      defer { owner.store(0, ordering: .relaxed) }
      return try body(&state)
    }
  }
}
