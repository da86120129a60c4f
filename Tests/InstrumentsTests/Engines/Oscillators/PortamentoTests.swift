import Glibc
import SynthMIDI
import Testing

@testable import SynthInstruments

@Suite("Portamento")
struct PortamentoTests {
  @Test(
    "leaves 5 % of the way after 4 s times the square of its time", arguments: [UInt8(32), 64, 127],
    [Patch.Mode.poly, .mono, .legato])
  func time(_ value: UInt8, _ mode: Patch.Mode) throws {
    let rack = try rack(mode)
    rack.play(.controlChange(channel: 0, .portamento, value7: 127), time(value))
    let samples = lead(rack, from: 84, to: 96)
    // MIDI's 64 is the middle of its range, not 64/127 of it.
    let part = Double(time(value).value32 >> 8) / 16_777_215
    let seconds = 4 * part * part
    let worst = error(samples, from: 84, to: 96, seconds: seconds)
    print("portamento \(value), \(mode): \(seconds) s, within \(worst) semitones of the formula")
    // What a quantum moves at most, about.
    #expect(worst < 0.02 + 36 / 750 / seconds)
  }

  @Test("is not there when it is switched off, nor for the first note", arguments: [Patch.Mode.poly, .mono, .legato])
  func off(_ mode: Patch.Mode) throws {
    let rack = try rack(mode)
    rack.play(time(127))
    #expect(error(lead(rack, from: 84, to: 96), from: 96, to: 96, seconds: 1) < 0.01)
    let first = try self.rack(mode)
    first.play(.controlChange(channel: 0, .portamento, value7: 127), time(127))
    first.play(.noteOn(channel: 0, note: 96, velocity7: 127))
    #expect(error(first.render(9600), from: 96, to: 96, seconds: 1) < 0.01)
  }

  @Test("control takes the next note alone from its key, whether or not it is switched on")
  func control() throws {
    let rack = try rack(.poly)
    rack.play(time(64), .controlChange(channel: 0, .portamentoControl, value7: 89))
    let seconds = 4 * pow(Double(time(64).value32 >> 8) / 16_777_215, 2)
    rack.play(.noteOn(channel: 0, note: 96, velocity7: 127))
    #expect(error(rack.render(9600), from: 89, to: 96, seconds: seconds) < 0.1)
    rack.play(.noteOff(channel: 0, note: 96))
    _ = rack.render(4800)
    rack.play(.noteOn(channel: 0, note: 84, velocity7: 127))
    #expect(error(rack.render(9600), from: 84, to: 84, seconds: 1) < 0.01)
  }

  @Test("control leads a note that sounds on its key on to the next")
  func leadingOn() throws {
    let rack = try rack(.poly)
    rack.play(time(64), .noteOn(channel: 0, note: 84, velocity7: 127))
    _ = rack.render(9600)
    rack.play(
      .controlChange(channel: 0, .portamentoControl, value7: 84), .noteOn(channel: 0, note: 96, velocity7: 127))
    let samples = rack.render(9600)
    let seconds = 4 * pow(Double(time(64).value32 >> 8) / 16_777_215, 2)
    #expect(error(samples, from: 84, to: 96, seconds: seconds) < 0.1)
    #expect(rack.rack.activeVoiceCount == 1)
    // The first key is no longer its own.
    rack.play(.noteOff(channel: 0, note: 84))
    _ = rack.render(4800)
    #expect(rack.rack.activeVoiceCount == 1)
    rack.play(.noteOff(channel: 0, note: 96))
    _ = rack.render(4800)
    #expect(rack.rack.activeVoiceCount == 0)
  }

  private func rack(_ mode: Patch.Mode) throws -> PlayedRack {
    var patch = Patch.bare()
    patch.mode = mode
    return try PlayedRack(patch)
  }

  private func time(_ value: UInt8) -> MIDIMessage { .controlChange(channel: 0, .portamentoTime, value7: value) }

  /// A fifth of a second after one key took the place of another.
  private func lead(_ rack: PlayedRack, from: UInt8, to: UInt8) -> [Float] {
    rack.play(.noteOn(channel: 0, note: from, velocity7: 127))
    _ = rack.render(2400)
    rack.play(.noteOff(channel: 0, note: from), after: 1)
    rack.play(.noteOn(channel: 0, note: to, velocity7: 127))
    // What the first leaves behind is gone.
    return rack.render(9600)
  }

  /// How far a sine's pitch is at most from a glide's formula, in semitones; from 25 ms on.
  private func error(_ samples: [Float], from: Double, to: Double, seconds: Double) -> Double {
    pitchTrack(samples).filter { $0.time > 0.025 }.map { time, pitch in
      // A quantum's pitch is the one at its end.
      let quanta = (time * 750).rounded(.down) + 1
      return abs(pitch - (to + (from - to) * pow(0.05, quanta / 750 / seconds)))
    }.max() ?? .infinity
  }
}
