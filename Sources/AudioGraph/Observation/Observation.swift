import Synchronization

/// Somebody's interest in a value, which lasts until `cancel`, or until nobody holds this.
///
/// Observers are called on a thread of their own, never on the audio thread nor on the one that made the change. It looks
/// 100 times a second: an observer gets the latest value, and what was changed and changed back meanwhile it never sees.
/// In return nobody who sets a value waits for those who look on. An observer that takes its time delays the others.
public final class Observation: Sendable {
  private let watch: Watch

  init<Value: Equatable & Sendable>(
    of read: @escaping @Sendable () -> Value, tell: @escaping @Sendable (Value) -> Void
  ) {
    let known = Known(read())
    watch = Watch {
      let present = read()
      if known.replace(present) { tell(present) }
    }
    ObservationThread.shared.add(watch)
  }

  deinit { cancel() }

  /// Ends it. A call that is under way on the observers' thread comes to its end; no other begins. [any thread]
  public func cancel() {
    watch.isCancelled.store(true, ordering: .relaxed)
    ObservationThread.shared.remove(watch)
  }
}

/// The value an observer was told last.
private final class Known<Value: Equatable & Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  /// Whether the value is another one than before.
  func replace(_ new: Value) -> Bool {
    value.withLock { value in
      defer { value = new }
      return value != new
    }
  }
}
