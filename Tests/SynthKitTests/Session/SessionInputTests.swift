import AudioGraph
import SynthDSP
import SynthMIDI
import Testing

@testable import SynthKit

@Suite("An input in a session", .timeLimit(.minutes(5)))
struct SessionInputTests {
  @Test("is heard with what is played, at its gain")
  func mixed() throws {
    let output = HandOutput(sampleRate: 48000, period: 256)
    let unit = VirtualInput(channelCount: 1, isOnOutputClock: true)
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [], instruments: []))
    let strip = try synthesizer.add(InputNode(unit), gain: Decibels(-6))
    let session = Session(synthesizer, output: output, sources: [VirtualSource("keys")])
    try session.start()
    func level() -> Float {
      for _ in 0..<100 {
        output.turn()
        let time = output.hostTime(ofFrame: output.left.count - 256)
        unit.deliver([[Float](repeating: 0.25, count: 256)], hostTime: time)
      }
      return output.left.last ?? 0
    }
    let soft = level()
    #expect(soft > 0.05)
    strip.gain.value = 0
    #expect(abs(level() / soft - 1.9953) < 0.001)
    strip.isMuted.value = 1
    #expect(level() == 0)
    try session.stop()
    #expect(!unit.isRunning)
  }
}
