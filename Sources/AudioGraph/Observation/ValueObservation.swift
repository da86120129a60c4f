import SynthRealtime

/// A subscription to a value, which lasts until `cancel` or until this is released.
///
/// Observers are called on their own thread, never on the audio thread nor on the one that made the change. It looks
/// 100 times a second: an observer gets the latest value, and not one that was changed back meanwhile. In return,
/// setting a value never waits for observers. A slow observer delays the others. If the system has no thread left when
/// the observation is made, the observer is not called.
public final class ValueObservation: Sendable {
  private let job: Housekeeper.Job?

  /// Begins to look at what `read` gives, which any thread may ask for, and to `tell` it after each change.
  public init<Value: Equatable & Sendable>(
    of read: @escaping @Sendable () -> Value, tell: @escaping @Sendable (Value) -> Void
  ) {
    let known = Known(read())
    // A hundredth of a second is not noticed on a screen.
    job = try? Housekeeper.shared.add(every: 10) {
      let present = read()
      if known.replace(present) { tell(present) }
    }
  }

  deinit { cancel() }

  /// Ends it. A call that is under way on the observers' thread comes to its end; no other begins. [any thread]
  public func cancel() { if let job { Housekeeper.shared.remove(job) } }
}

/// The value an observer was told last.
private final class Known<Value: Equatable & Sendable>: Sendable {
  private let value: CheckedMutex<Value>

  init(_ value: Value) { self.value = CheckedMutex(value) }

  /// Whether the value is another one than before.
  func replace(_ new: Value) -> Bool {
    value.withLock { value in
      defer { value = new }
      return value != new
    }
  }
}
