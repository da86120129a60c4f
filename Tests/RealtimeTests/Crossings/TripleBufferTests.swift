import SynthRealtime
import Testing

@Suite("A triple buffer")
struct TripleBufferTests {
  /// Equal numbers, so that a torn value shows.
  private struct Value: BitwiseCopyable, Sendable {
    var numbers: SIMD16<Double>

    init(_ number: Double) { numbers = SIMD16(repeating: number) }

    var isWhole: Bool { numbers == SIMD16(repeating: numbers[0]) }
  }

  @Test("gives nothing while it is empty, and a value once")
  func onceOnly() {
    let buffer = TripleBuffer(Value(1))
    var receiver = buffer.receiver
    #expect(receiver.take() == nil)
    #expect(receiver.latest.pointee.numbers[0] == 1)
    buffer.send(Value(2))
    #expect(receiver.take()?.pointee.numbers[9] == 2)
    #expect(receiver.take() == nil)
    #expect(receiver.latest.pointee.numbers[9] == 2)
  }

  @Test("gives the latest of several values")
  func latestWins() {
    let buffer = TripleBuffer(Value(0))
    var receiver = buffer.receiver
    for number in 1...5 { buffer.send(Value(Double(number))) }
    #expect(receiver.take()?.pointee.numbers[0] == 5)
  }

  @Test("gives another thread whole values in rising order, and the last one in the end", .timeLimit(.minutes(1)))
  func concurrent() async {
    let buffer = TripleBuffer(Value(0))
    let last = 20000.0
    async let faults = Task.detached {
      var receiver = buffer.receiver
      var (seen, faults) = (0.0, 0)
      while seen < last {
        guard let value = receiver.take()?.pointee else {
          await Task.yield()
          continue
        }
        if !value.isWhole || value.numbers[0] <= seen { faults += 1 }
        seen = value.numbers[0]
      }
      return faults
    }.value
    for number in 1...Int(last) { buffer.send(Value(Double(number))) }
    #expect(await faults == 0)
  }
}
