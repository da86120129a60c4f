import Glibc
import SynthInstruments
import SynthMIDI
import Testing

@Suite("Levels, pans and what parts receive", .timeLimit(.minutes(2)))
struct PartLevelTests {
  /// In decibels, to a tenth.
  private func decibels(_ level: Double, _ reference: Double) -> Double { tenth(20 * log10(level / reference)) }

  @Test("a part's level is its volume, 40 dB for a tenth, and 0 is silence", arguments: SamplerEngine.allCases)
  func level(_ engine: SamplerEngine) throws {
    let parts = try PlayedParts(engine)
    for message in [PartMessages.gs((0x40, 0x12, 0x19), 50), PartMessages.xg((8, 1, 0x0B), 50)] {
      let full = parts.level().left
      parts.tell(message)
      // Half of 100.
      #expect(abs(decibels(parts.level(channel: 1).left, full) + 12) < 0.2)
    }
    parts.tell(PartMessages.gs((0x40, 0x12, 0x19), 0))
    // SoundFonts attenuate by 96 dB at most.
    #expect(parts.level(channel: 1).left < 1e-5)
  }

  @Test("a part is panned left and right, and 0 pans each note elsewhere", arguments: SamplerEngine.allCases)
  func pan(_ engine: SamplerEngine) throws {
    let parts = try PlayedParts(engine)
    parts.tell(PartMessages.gs((0x40, 0x11, 0x1C), 127))
    let right = parts.level()
    #expect(right.left < right.right / 50)
    parts.tell(PartMessages.xg((8, 0, 0x0E), 1))
    let left = parts.level()
    #expect(left.right < left.left / 10)
    parts.tell(PartMessages.gs((0x40, 0x11, 0x1C), 0))
    let balances = (0..<8).map { _ in parts.level() }.map { ($0.left / $0.right * 1000).rounded() }
    #expect(Set(balances).count > 4)
    parts.tell(.controlChange(channel: 0, .pan, value7: 64))
    let middle = (0..<3).map { _ in parts.level() }
    #expect(middle.allSatisfy { abs($0.left / $0.right - 1) < 0.01 })
  }

  @Test("velocity depth and offset", arguments: SamplerEngine.allCases)
  func velocity(_ engine: SamplerEngine) throws {
    let parts = try PlayedParts(engine)
    let soft = parts.level(velocity: 50).left
    // 100 halved, then 25 lifted by 25.
    parts.tell(PartMessages.gs((0x40, 0x11, 0x1A), 32))
    #expect(abs(decibels(parts.level(velocity: 100).left, soft)) < 0.3)
    parts.tell(PartMessages.xg((8, 0, 0x0C), 32, 76))
    #expect(abs(decibels(parts.level(velocity: 52).left, soft)) < 0.3)
  }

  @Test("a part receives another channel, or none", arguments: SamplerEngine.allCases)
  func receiveChannel(_ engine: SamplerEngine) throws {
    let parts = try PlayedParts(engine)
    parts.tell(.programChange(channel: 1, program: 5))
    parts.tell(PartMessages.xg((8, 0, 4), 0x7F))
    #expect(parts.pitch() == nil)
    parts.tell(PartMessages.gs((0x40, 0x12, 2), 0))
    #expect(parts.pitch() == 73)
    #expect(parts.pitch(channel: 1) == nil)
    parts.tell(PartMessages.gsReset)
    #expect(parts.pitch() == 69)
  }

  @Test("a part ignores what it is told to, and keys beyond its range", arguments: SamplerEngine.allCases)
  func switches(_ engine: SamplerEngine) throws {
    let parts = try PlayedParts(engine)
    parts.tell(PartMessages.gs((0x40, 0x11, 3), 0))
    parts.tell(PartMessages.xg((8, 0, 0x32), 0))
    parts.tell(.pitchBend(channel: 0, bend14: 16383), .programChange(channel: 0, program: 5))
    #expect(parts.pitch() == 69)
    parts.tell(PartMessages.gs((0x40, 0x11, 0x1D), 60, 70))
    #expect(parts.pitch(59) == nil)
    #expect(parts.pitch(60) == 60)
    #expect(parts.pitch(71) == nil)
    parts.tell(PartMessages.gs((0x40, 0x11, 8), 0))
    #expect(parts.pitch(60) == nil)
  }
}
