import SynthText

/// What happened, as clients see it: the latest entries.
struct SurfaceLog {
  private static let capacity = 100

  private var entries: [JSONValue] = []
  private var count = 0

  mutating func add(_ text: String, isError: Bool, at seconds: Double) -> JSONValue {
    count += 1
    let entry = JSONValue.object([
      ("number", .number(count)), ("time", .number((seconds * 1000).rounded() / 1000)),
      ("kind", .string(isError ? "error" : "note")), ("text", .string(text)),
    ])
    entries = entries.suffix(Self.capacity - 1) + [entry]
    return entry
  }

  var json: JSONValue { .array(entries) }
}
