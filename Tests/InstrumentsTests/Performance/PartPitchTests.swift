import SynthInstruments
import SynthMIDI
import Testing

@Suite("Bends, key shifts and tunings of parts", .timeLimit(.minutes(2)))
struct PartPitchTests {
  @Test(
    "a full wheel reaches the bend range, up and down",
    arguments: SamplerEngine.allCases, [UInt8(1), 2, 7, 12, 24])
  func fullWheel(_ engine: SamplerEngine, _ range: UInt8) throws {
    let parts = try PlayedParts(engine)
    parts.tell(registered: 0, range)
    for (bend, semitones) in [(UInt16(16383), Double(range)), (0, -Double(range)), (8192, 0)] {
      parts.tell(.pitchBend(channel: 0, bend14: bend))
      #expect(parts.pitch() == 69 + semitones, "\(range) \(bend)")
    }
  }

  @Test("a bend range has cents, and data increment counts them", arguments: SamplerEngine.allCases)
  func bendRangeCents(_ engine: SamplerEngine) throws {
    let parts = try PlayedParts(engine)
    parts.tell(.pitchBend(channel: 0, bend14: 0))
    parts.tell(registered: 0, 2, 50)
    #expect(parts.pitch() == 66.5)
    for _ in 0..<10 { parts.tell(.controlChange(channel: 0, .dataIncrement, value7: 0)) }
    #expect(parts.pitch() == 66.4)
    for _ in 0..<60 { parts.tell(.controlChange(channel: 0, .dataDecrement, value7: 0)) }
    #expect(parts.pitch() == 67)
  }

  @Test("fine and coarse tuning add up, and Reset All Controllers leaves them", arguments: SamplerEngine.allCases)
  func registeredTuning(_ engine: SamplerEngine) throws {
    let parts = try PlayedParts(engine)
    parts.tell(registered: 1, 96)
    parts.tell(registered: 2, 67)
    #expect(parts.pitch() == 72.5)
    parts.tell(.controlChange(channel: 0, .resetAllControllers, value7: 0))
    #expect(parts.pitch() == 72.5)
  }

  private static let shifts: [([UInt8], Double)] = [
    (PartMessages.gs((0x40, 0x11, 0x16), 0x34), -12), (PartMessages.gs((0x40, 0, 5), 0x45), 5),
    (PartMessages.xg((8, 0, 8), 0x34), -12), (PartMessages.xg((0, 0, 6), 0x4C), 12),
    (PartMessages.gs((0x40, 0, 0), 0, 7, 0xE, 8), 1), (PartMessages.xg((0, 0, 0), 0, 2, 0, 0xC), -0.5),
    (PartMessages.gs((0x40, 0, 0), 0, 7, 0xF, 0xF), 1), (PartMessages.xg((0, 0, 0), 0, 7, 0xF, 0xF), 1.02),
    ([0x7F, 0x7F, 4, 4, 0, 0x20], -32),
    ([0x7F, 0x7F, 4, 3, 0, 0x60], 0.5), ([0x7F, 0x7F, 4, 4, 0, 0x43], 3),
    (PartMessages.gs((0x40, 0x11, 0x49), 0x72), 0.5), (PartMessages.xg((8, 0, 0x4A), 0x0E), -0.5),
    (PartMessages.gs((0x40, 0x11, 0x2A), 0x60, 0), 0.5),
  ]

  @Test("a part, or all, is shifted and tuned", arguments: SamplerEngine.allCases, shifts)
  func shift(_ engine: SamplerEngine, _ shift: (bytes: [UInt8], semitones: Double)) throws {
    let parts = try PlayedParts(engine)
    parts.tell(shift.bytes)
    #expect(parts.pitch() == 69 + shift.semitones)
    parts.tell(PartMessages.gsReset)
    #expect(parts.pitch() == 69)
  }

  @Test("a frequency offset is the same number of hertz for every key", arguments: SamplerEngine.allCases)
  func detune(_ engine: SamplerEngine) throws {
    for message in [PartMessages.gs((0x40, 0x11, 0x17), 0xE, 4), PartMessages.xg((8, 0, 9), 0xE, 4)] {
      let parts = try PlayedParts(engine)
      parts.tell(message)
      // 10 Hz above 440 and 220 Hz; whole cents, the next below.
      #expect(try #require(parts.pitch(69)) == 69.38)
      #expect(try #require(parts.pitch(57)) == 57.76)
    }
  }

  @Test(
    "a key shift moves no drums, and a note ends that began before another shift", arguments: SamplerEngine.allCases)
  func keyShiftOfNotes(_ engine: SamplerEngine) throws {
    let parts = try PlayedParts(engine)
    parts.tell(PartMessages.gs((0x40, 0, 5), 0x4C))
    #expect(parts.pitch(channel: 9) == 81)
    parts.tell(.noteOn(channel: 0, note: 60, velocity7: 100))
    _ = parts.player.render(4800)
    parts.tell(PartMessages.gs((0x40, 0, 5), 0x40))
    parts.tell(.noteOff(channel: 0, note: 60))
    _ = parts.player.render(9600)
    #expect(rms(parts.player.render(4800)) == 0)
  }
}
