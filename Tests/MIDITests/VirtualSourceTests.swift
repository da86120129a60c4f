import Synchronization
import SynthMIDI
import Testing

@Suite("MIDI that code plays", .timeLimit(.minutes(1)))
struct VirtualSourceTests {
  @Test("Ten thousand messages arrive, and the stack of who hears them is no deeper at the last")
  func manyMessages() {
    let source = VirtualSource("keys")
    let heard = Mutex((count: 0, first: 0, last: 0))
    source.start { _ in
      let place = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { Int(bitPattern: $0.baseAddress) }
      heard.withLock { $0 = ($0.count + 1, $0.count == 0 ? place : $0.first, place) }
    }
    // Few enough that a stack that grows by 100 bytes with each has room.
    for _ in 0..<10_000 { source.send(.noteOn(channel: 0, note: 60, velocity7: 100)) }
    source.stop()
    source.send(.noteOn(channel: 0, note: 60, velocity7: 100))
    let (count, first, last) = heard.withLock(\.self)
    #expect(count == 10_000)
    // A wrapper of each message would have more than 32 bytes.
    #expect(abs(first - last) < 32 * count)
  }
}
