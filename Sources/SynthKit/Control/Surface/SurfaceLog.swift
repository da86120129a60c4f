/// What happened, as clients see it: the latest entries.
struct SurfaceLog {
  private static let capacity = 100

  private(set) var entries: [SurfaceEntry] = []
  private var count = 0

  mutating func add(_ text: String, isError: Bool, at seconds: Double) -> SurfaceEntry {
    count += 1
    let entry = SurfaceEntry(number: count, time: seconds, isError: isError, text: text)
    entries = entries.suffix(Self.capacity - 1) + [entry]
    return entry
  }
}
