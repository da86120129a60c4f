import Testing

/// An overrun on purpose: AddressSanitizer ends the process with status 1.
@Suite("AddressSanitizer catches", .timeLimit(.minutes(5)))
struct AddressSanitizerTests {
  @Test("a write past the end of a buffer")
  func overrun() async {
    await #expect(processExitsWith: .exitCode(1)) {
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: 64)
      samples[64] = 1
      samples.deallocate()
    }
  }
}
