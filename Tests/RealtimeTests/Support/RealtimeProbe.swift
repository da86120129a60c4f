import RealtimeProbes
import SynthRealtime
import Testing

/// Watches what a function calls on the audio thread's behalf.
enum RealtimeProbe {
  /// Calls a function the way a device calls its render callback, and tells what it did that it must not.
  ///
  /// Where RealtimeSanitizer is linked in the probe's place, the process ends at the first violation.
  static func measure(
    _ function: RenderFunction, _ context: UnsafeMutableRawPointer = unused,
    _ argument: UnsafeMutableRawPointer = unused
  ) -> Violations {
    if !realtime_probe_is_watching() {
      Issue.record("watching nothing: a sanitizer has the probe's place; build with SYNTH_SANITIZER set to its name")
    }
    realtime_probe_run(function, context, argument)
    var count = 0
    let first = realtime_probe_violations(&count)
    return Violations(UnsafeBufferPointer(start: first, count: count).map(Violation.init))
  }

  /// For functions that look at neither context nor argument.
  static var unused: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 16)! }
}

/// What a watched function did that it must not.
struct Violations: CustomStringConvertible {
  private var all: [Violation]

  init(_ all: [Violation] = []) { self.all = all }

  var isEmpty: Bool { all.isEmpty }
  var functions: Set<String> { Set(all.map(\.function)) }

  /// Adds those of a later call.
  mutating func formUnion(_ other: Violations) {
    for violation in other.all {
      if let index = all.firstIndex(where: { $0.function == violation.function && $0.number == violation.number }) {
        all[index].count += violation.count
      } else {
        all.append(violation)
      }
    }
  }

  var description: String {
    isEmpty ? "no violations" : all.map(\.description).joined(separator: "\n")
  }
}

/// A forbidden function that was called.
struct Violation: CustomStringConvertible {
  let function: String
  /// Which system call; 0 for all else.
  let number: Int
  var count: Int
  private let caller: String

  init(_ violation: realtime_violation) {
    function = String(cString: violation.function)
    number = violation.number
    count = violation.count
    caller = String(cString: realtime_probe_place(violation.caller))
  }

  var description: String { "\(function)\(number > 0 ? " \(number)" : "") × \(count), first from \(caller)" }
}
