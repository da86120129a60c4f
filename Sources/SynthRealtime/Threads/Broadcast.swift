/// Passes values on to all who listen. [any thread]
///
/// Sending locks and allocates, so it is nothing for real time.
public final class Broadcast<Element: Sendable>: Sendable {
  /// Listens until it is released.
  public final class Listener: Sendable {
    private weak let broadcast: Broadcast?

    fileprivate init(_ broadcast: Broadcast) { self.broadcast = broadcast }

    deinit { broadcast?.remove(ObjectIdentifier(self)) }
  }

  private struct State {
    var closures: [ObjectIdentifier: @Sendable (Element) -> Void] = [:]
    var streams: [AsyncStream<Element>.Continuation] = []
  }

  private let state = CheckedMutex(State())
  private let capacity: Int

  /// - Parameter capacity: as many values wait in a stream that is read slowly, the newest ones.
  public init(capacity: Int = 1000) { self.capacity = capacity }

  deinit { finish() }

  /// Passes a value on to those who listen now.
  public func send(_ element: Element) {
    let closures = state.withLock { state in
      state.streams.removeAll { if case .terminated = $0.yield(element) { true } else { false } }
      return state.closures.values
    }
    // Not within the lock: what is called may release a listener.
    for closure in closures { closure(element) }
  }

  /// Calls `tell` with each value from now on, on the thread that sends it.
  public func listen(_ tell: @escaping @Sendable (Element) -> Void) -> Listener {
    let listener = Listener(self)
    state.withLock { $0.closures[ObjectIdentifier(listener)] = tell }
    return listener
  }

  private func remove(_ listener: ObjectIdentifier) {
    _ = state.withLock { $0.closures.removeValue(forKey: listener) }
  }

  /// The values from now on.
  public func stream() -> AsyncStream<Element> {
    AsyncStream(bufferingPolicy: .bufferingNewest(capacity)) { continuation in
      state.withLock { $0.streams.append(continuation) }
    }
  }

  /// Ends the streams.
  public func finish() {
    let streams = state.withLock { state in
      defer { state.streams = [] }
      return state.streams
    }
    for stream in streams { stream.finish() }
  }
}
