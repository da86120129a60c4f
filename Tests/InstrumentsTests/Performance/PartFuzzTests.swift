import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("Random messages of parts", .timeLimit(.minutes(3)))
struct PartFuzzTests {
  @Test("whatever parts are told, what sounds is finite", arguments: SamplerEngine.allCases, [UInt64(1), 2, 3])
  func randomMessages(_ engine: SamplerEngine, _ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    func seven() -> UInt8 { UInt8.random(in: 0...127, using: &generator) }
    let parts = try PlayedParts(engine)
    for _ in 0..<300 {
      for _ in 0..<4 { parts.tell(bytes(&generator)) }
      parts.tell(channel: seven() & 15, assignable: [0, 1, 1, 0x18, 120][Int(seven()) % 5], seven(), seven())
      parts.tell(channel: seven() & 15, registered: seven() % 7, seven(), seven())
      let channel = seven() & 15
      parts.tell(
        .noteOn(channel: channel, note: seven(), velocity7: seven()), .pitchBend(channel: channel, bend14: 16383),
        .channelPressure(channel: channel, value7: seven()),
        .controlChange(channel: channel, Controller(rawValue: seven()), value7: seven()),
        .programChange(channel: channel, program: seven()), .noteOff(channel: channel, note: seven()))
      let sound = parts.player.renderStereo(128)
      let isFinite = (sound.left + sound.right).allSatisfy { $0.isFinite }
      #expect(isFinite)
    }
    parts.tell(PartMessages.gsReset)
    _ = parts.player.render(4800)
    #expect(parts.pitch() == 69)
  }

  /// A message of one of the blocks, sometimes one that is cut off.
  private func bytes(_ generator: inout SplitMix64) -> [UInt8] {
    func seven() -> UInt8 { UInt8.random(in: 0...127, using: &generator) }
    var message: [UInt8]
    switch seven() % 5 {
    case 0: message = PartMessages.gs((0x40, 0x10 | seven() & 15, seven()), seven(), seven(), seven())
    case 1: message = PartMessages.gs((0x40, [0, 0x20 | seven() & 15][Int(seven()) % 2], seven()), seven())
    case 2: message = PartMessages.xg((8, seven() & 15, seven()), seven(), seven())
    case 3: message = PartMessages.xg((0, 0, seven() & 7), seven(), seven(), seven(), seven())
    default: message = [0x7F, 0x7F, [4, 9][Int(seven()) % 2], seven() % 5, seven(), seven(), seven(), seven()]
    }
    if seven() < 16 { message.removeLast(Int(seven()) % message.count) }
    return message.isEmpty ? [0x7E] : message
  }
}
