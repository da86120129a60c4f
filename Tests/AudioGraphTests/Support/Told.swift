import Synchronization
import TestSupport

/// What an observer was told, and a way to wait for it.
final class Told<Value: Equatable & Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  var all: [Value] { values.withLock { $0 } }

  func tell(_ value: Value) { values.withLock { $0.append(value) } }

  /// Whether the value came last, for which a busy machine gets half a minute.
  func waitFor(_ value: Value) -> Bool { eventually { all.last == value } }
}
