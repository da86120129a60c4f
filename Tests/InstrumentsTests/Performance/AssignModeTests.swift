import SynthMIDI
import Testing

@testable import SynthInstruments

@Suite("What becomes of a key's note when the key is struck again", .timeLimit(.minutes(2)))
struct AssignModeTests {
  /// How loud a key is after a second stroke that is hardly heard, beside what it was.
  private func level(_ player: PlayedRack, isSustained: Bool = false) -> Double {
    player.play(.controlChange(channel: 0, .sustain, value7: isSustained ? 127 : 0))
    player.play(.noteOn(channel: 0, note: 69, velocity7: 127))
    let loud = rms(player.render(9600)[4800...])
    player.play(.noteOn(channel: 0, note: 69, velocity7: 8))
    let soft = rms(player.render(9600)[4800...])
    player.play(.noteOff(channel: 0, note: 69), .controlChange(channel: 0, .sustain, value7: 0))
    #expect(rms(player.render(9600)[4800...]) < 0.01 * loud)
    return soft / loud
  }

  private func modes(single: Bool) -> [[UInt8]] {
    [PartMessages.gs((0x40, 0x11, 0x14), single ? 0 : 2), PartMessages.xg((8, 0, 6), single ? 0 : 1)]
  }

  @Test("at first the note is let go; the pedal holds it", arguments: PartInstrument.allCases)
  func limited(_ instrument: PartInstrument) throws {
    let player = try instrument.player()
    #expect(level(player) < 0.3)
    if instrument != .oscillators { #expect(level(player, isSustained: true) > 0.8) }
    player.play(systemExclusive: PartMessages.gs((0x40, 0x11, 0x14), 0))
    player.play(systemExclusive: PartMessages.gs((0x40, 0x11, 0x14), 1))
    if instrument != .oscillators { #expect(level(player, isSustained: true) > 0.8) }
  }

  @Test("in a single part it ends, pedal or not", arguments: PartInstrument.allCases)
  func single(_ instrument: PartInstrument) throws {
    for message in modes(single: true) {
      let player = try instrument.player()
      player.play(systemExclusive: message)
      #expect(level(player) < 0.3)
      #expect(level(player, isSustained: true) < 0.3)
      player.play(systemExclusive: PartMessages.gsReset)
      if instrument != .oscillators { #expect(level(player, isSustained: true) > 0.8) }
    }
  }

  @Test("in a multi part it goes on; FluidSynth always lets it go", arguments: PartInstrument.allCases)
  func multi(_ instrument: PartInstrument) throws {
    for message in modes(single: false) {
      let player = try instrument.player()
      player.play(systemExclusive: message)
      #expect((level(player) > 0.8) == (instrument != .fluidSynth))
    }
  }
}
