import SynthInstruments
import SynthRealtime
import Testing

@Suite("System Exclusive that is played live")
struct LiveSystemExclusiveTests {
  private let path: WholePath
  private let systemOn: [UInt8] = [0x7E, 0x7F, 0x09, 0x01]

  init() throws { path = try WholePath() }

  private func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { path.sampler.events.send(systemExclusive: $0, time: 0) }
  }

  @Test("never runs out of memory as long as it is played, and the audio thread takes none")
  func comesHome() {
    for _ in 0..<100 {
      #expect(send(systemOn))
      path.watched.render(renderQuantum)
    }
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }

  @Test("is refused when 32 wait, and taken again when they have been played")
  func refused() {
    for count in 1...33 { #expect(send(systemOn) == (count <= 32)) }
    path.watched.render(renderQuantum)
    #expect(send(systemOn))
  }

  @Test("is refused when it is longer than 1024 bytes")
  func tooLong() {
    #expect(send(Array(repeating: 1, count: 1024)))
    #expect(!send(Array(repeating: 1, count: 1025)))
  }
}
