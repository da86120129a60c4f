import Testing

/// A race on purpose: ThreadSanitizer lets the process end with status 66.
@Suite("ThreadSanitizer catches", .timeLimit(.minutes(5)))
struct ThreadSanitizerTests {
  @Test("two threads writing one number")
  func race() async {
    await #expect(processExitsWith: .exitCode(66)) {
      let threads = (1...2).map { value in RunningThread { for _ in 1...1000 { unguarded = value } } }
      for thread in threads { thread.join() }
    }
  }
}

nonisolated(unsafe) private var unguarded = 0
