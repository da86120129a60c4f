import SynthALSA
import Testing

@Suite("Active Sensing")
struct ActiveSensingTests {
  private let keyboard = SequencerAddress(client: 24, port: 0)
  private let pads = SequencerAddress(client: 28, port: 0)
  private let millisecond: UInt64 = 1_000_000
  private var sensing = ActiveSensing()

  @Test("A source that never promised to be heard may be silent for ever")
  mutating func noPromise() {
    sensing.heard(keyboard, isSensing: false, at: 0)
    #expect(sensing.deadline == nil)
    #expect(sensing.takeSilent(at: .max).isEmpty)
  }

  @Test("A source that promised is silent 330 ms after it was last heard, and once")
  mutating func silence() {
    sensing.heard(keyboard, isSensing: true, at: 0)
    sensing.heard(keyboard, isSensing: false, at: 100 * millisecond)
    #expect(sensing.deadline == 430 * millisecond)
    #expect(sensing.takeSilent(at: 429 * millisecond).isEmpty)
    #expect(sensing.takeSilent(at: 430 * millisecond) == [keyboard])
    #expect(sensing.deadline == nil)
  }

  @Test("Each source is waited for by itself, and not at all once it has left")
  mutating func several() {
    sensing.heard(keyboard, isSensing: true, at: 0)
    sensing.heard(pads, isSensing: true, at: 10 * millisecond)
    #expect(sensing.takeSilent(at: 330 * millisecond) == [keyboard])
    sensing.forget(pads)
    #expect(sensing.takeSilent(at: 1000 * millisecond).isEmpty)
  }
}
