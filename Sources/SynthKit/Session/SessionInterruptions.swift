import AudioGraph
import SynthALSA
import SynthRealtime

/// What becomes of a song when its output has no device any more, or headphones are pulled. Live notes go on in any
/// case.
public enum InterruptionPolicy: String, Sendable, CaseIterable {
  /// The song waits. It goes on by itself when the same device is back within a minute, or when a fallback takes over
  /// that was asked for; otherwise a person lets it go on.
  case pause
  /// The song plays on, heard or not.
  case keep
}

/// Lets a session's song wait while it cannot be heard as it was. [any thread]
final class SessionInterruptions: Sendable {
  /// A device that was away for longer does not let the song go on by itself. In nanoseconds.
  static let patience: UInt64 = 60_000_000_000

  /// When a song that waits goes on.
  private enum Wish {
    /// When the device is back.
    case onReturn
    /// With whichever device comes: a person has asked for it.
    case onAnyDevice
    /// When a person asks for it.
    case onRequest
  }

  private struct State {
    /// What the last interruption has taken away, and when, until it ends.
    var lost: (route: Route?, since: UInt64)?
    var isUnheard = false
    /// Nil unless the song waits.
    var wish: Wish?
  }

  private let state = CheckedMutex(State())
  private let policy: InterruptionPolicy
  private let queue: SessionEventQueue
  /// Whether there is something that can wait, and does not wait already.
  private let canHold: @Sendable () -> Bool
  private let hold: @Sendable (_ isHeld: Bool, _ isUnheard: Bool) -> Void
  private let listener = CheckedMutex<Broadcast<RouteChange>.Listener?>(nil)

  init(
    _ policy: InterruptionPolicy, _ queue: SessionEventQueue, canHold: @escaping @Sendable () -> Bool,
    hold: @escaping @Sendable (_ isHeld: Bool, _ isUnheard: Bool) -> Void
  ) {
    self.policy = policy
    self.queue = queue
    self.canHold = canHold
    self.hold = hold
  }

  /// Follows an output from now on, and forgets the one before.
  func follow(_ output: any OutputUnit) {
    let next = (output as? any RoutedOutput)?.observeRoutes { [weak self] in self?.take($0, at: HostClock.now) }
    listener.withLock { $0 = next }
    state.withLock { state in
      (state.lost, state.isUnheard) = (nil, false)
      goOn(&state)
    }
  }

  /// Whether the song waits.
  var isHolding: Bool { state.withLock { $0.wish != nil } }

  /// Lets a song that waits stand still until a person asks for it; false if none waits.
  func pause() -> Bool {
    state.withLock { state in
      guard state.wish != nil else { return false }
      state.wish = .onRequest
      return true
    }
  }

  /// Lets the song go on, because a person asks for it: at once, or when there is a device.
  func resume() { state.withLock { goOn(&$0) } }

  /// Forgets the song that waits.
  func forget() { state.withLock { $0.wish = nil } }

  private func goOn(_ state: inout State) {
    if state.isUnheard, policy == .pause {
      state.wish = .onAnyDevice
      hold(true, state.isUnheard)
    } else if state.wish != nil {
      state.wish = nil
      hold(false, state.isUnheard)
    }
  }

  /// Takes news of the output.
  func take(_ change: RouteChange, at time: UInt64) {
    state.withLock { state in
      queue.add(.routeChanged(change))
      switch change.reason {
      case .woken:
        queue.add(.interruptionBegan(.woken))
        queue.add(.interruptionEnded(resumes: true))
      case .unplugged: begin(change, .onRequest, at: time, &state)
      case _ where change.deviceCount == 0:
        state.isUnheard = true
        begin(change, .onReturn, at: time, &state)
      case _ where change.present != nil:
        state.isUnheard = false
        end(change, at: time, &state)
      default: break
      }
    }
  }

  private func begin(_ change: RouteChange, _ wish: Wish, at time: UInt64, _ state: inout State) {
    guard state.lost == nil else { return }
    state.lost = (change.previous, time)
    if policy == .pause, canHold() {
      state.wish = wish
      hold(true, state.isUnheard)
    }
    queue.add(.interruptionBegan(change.reason))
  }

  private func end(_ change: RouteChange, at time: UInt64, _ state: inout State) {
    guard let lost = state.lost else { return }
    state.lost = nil
    let isBack = time &- lost.since <= Self.patience && Self.isWanted(change.present, after: lost.route)
    switch state.wish {
    case .onReturn where isBack, .onAnyDevice:
      state.wish = nil
      hold(false, state.isUnheard)
    case .onReturn: state.wish = .onRequest
    case .onRequest, nil: break
    }
    queue.add(.interruptionEnded(resumes: state.wish == nil))
  }

  /// Whether a person expects to hear the song there: on the same hardware, or by another name, which was asked for.
  private static func isWanted(_ route: Route?, after lost: Route?) -> Bool {
    route?.parameters.device != lost?.parameters.device || route?.hardware == lost?.hardware
  }
}
