import SynthInstruments
import SynthMIDI
import Testing

@Suite("Banks and part modes of GS, XG and General MIDI 2", .timeLimit(.minutes(2)))
struct PartBankTests {
  struct Choice: CustomTestStringConvertible {
    let reset: [UInt8]
    let bank: (UInt8, UInt8)
    var program: UInt8 = 0
    /// Above 440 Hz, as `BankFont` has them.
    let semitones: Double

    var testDescription: String { "\(reset) \(bank) \(program)" }
  }

  private static let choices = [
    Choice(reset: PartMessages.gm2On, bank: (121, 1), semitones: 1),
    Choice(reset: PartMessages.gm2On, bank: (121, 9), semitones: 0),
    Choice(reset: PartMessages.gm2On, bank: (120, 0), semitones: 12),
    Choice(reset: PartMessages.gmOn, bank: (1, 1), semitones: 0),
    Choice(reset: PartMessages.gsReset, bank: (1, 8), semitones: 1),
    // The SC-55 has variation 8 in place of 11, and the capital tone in place of 25.
    Choice(reset: PartMessages.gsReset, bank: (11, 0), semitones: 2),
    Choice(reset: PartMessages.gsReset, bank: (25, 0), semitones: 0),
    Choice(reset: PartMessages.gsReset, bank: (1, 0), program: 5, semitones: 4),
    Choice(reset: PartMessages.xgOn, bank: (0, 8), semitones: 2),
    Choice(reset: PartMessages.xgOn, bank: (0, 9), semitones: 0),
    Choice(reset: PartMessages.xgOn, bank: (64, 0), semitones: 3),
    Choice(reset: PartMessages.xgOn, bank: (121, 0), semitones: 0),
    Choice(reset: PartMessages.xgOn, bank: (127, 0), semitones: 12),
    Choice(reset: PartMessages.xgOn, bank: (126, 0), program: 1, semitones: 13),
  ]

  @Test("a bank is read as the last reset says", arguments: SamplerEngine.allCases, choices)
  func bank(_ engine: SamplerEngine, _ choice: Choice) throws {
    let parts = try PlayedParts(engine)
    parts.tell(choice.reset)
    parts.tell(
      .controlChange(channel: 0, .bankSelect, value7: choice.bank.0),
      .controlChange(channel: 0, .bankSelectLSB, value7: choice.bank.1),
      .programChange(channel: 0, program: choice.program))
    #expect(parts.pitch() == 69 + choice.semitones)
  }

  @Test("after each reset channel 10 has drums and the others do not", arguments: SamplerEngine.allCases)
  func resets(_ engine: SamplerEngine) throws {
    let messages = [
      PartMessages.gmOn, PartMessages.gmOff, PartMessages.gm2On, PartMessages.gsReset, PartMessages.xgOn,
      PartMessages.xg((0, 0, 0x7F), 0), PartMessages.gs((0, 0, 0x7F), 0), PartMessages.gs((0, 0, 0x7F), 1),
    ]
    for reset in messages {
      let parts = try PlayedParts(engine)
      parts.tell(PartMessages.gs((0x40, 0x11, 0x15), 1))
      parts.tell(PartMessages.gs((0x40, 0, 5), 0x4C))
      #expect(parts.pitch() == 81)
      parts.tell(reset)
      #expect(parts.pitch() == 69, "\(reset)")
      #expect(parts.pitch(channel: 9) == 81, "\(reset)")
    }
  }

  @Test("an XG part plays drums by its mode, with programs as kits", arguments: SamplerEngine.allCases)
  func xgPartMode(_ engine: SamplerEngine) throws {
    let parts = try PlayedParts(engine)
    parts.tell(PartMessages.xgOn)
    parts.tell(PartMessages.xg((8, 0, 7), 2))
    #expect(parts.pitch() == 81)
    parts.tell(.programChange(channel: 0, program: 1))
    #expect(parts.pitch() == 82)
    parts.tell(PartMessages.xg((8, 0, 7), 0))
    #expect(parts.pitch() == 69)
  }

  @Test("bank and program of a part, by System Exclusive", arguments: SamplerEngine.allCases)
  func bankBySystemExclusive(_ engine: SamplerEngine) throws {
    let gs = try PlayedParts(engine)
    gs.tell(PartMessages.gs((0x40, 0x11, 0), 8, 0))
    #expect(gs.pitch() == 71)
    let xg = try PlayedParts(engine)
    xg.tell(PartMessages.xgOn)
    xg.tell(PartMessages.xg((8, 0, 1), 0, 8, 0))
    #expect(xg.pitch() == 71)
  }
}
