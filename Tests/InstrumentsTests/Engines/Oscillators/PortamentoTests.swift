import Glibc
import SynthMIDI
import Testing

@testable import SynthInstruments

@Suite("Portamento")
struct PortamentoTests {
  @Test(
    "goes straight from key to key in the time of controller 5", arguments: [UInt8(32), 64],
    [Patch.Mode.poly, .mono, .legato])
  func time(_ value: UInt8, _ mode: Patch.Mode) throws {
    let rack = try rack(mode)
    rack.play(.controlChange(channel: 0, .portamento, value7: 127), time(value))
    let samples = lead(rack, from: 84, to: 96)
    let seconds = seconds(value, from: 84, to: 96)
    let worst = error(samples, from: 84, to: 96, seconds: seconds)
    print("portamento \(value), \(mode): \(seconds) s, within \(worst) semitones of the line")
    // What a quantum moves, about.
    #expect(worst < 0.02 + 24 / 750 / seconds)
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
    rack.play(.noteOn(channel: 0, note: 96, velocity7: 127))
    #expect(error(rack.render(9600), from: 89, to: 96, seconds: seconds(64, from: 89, to: 96)) < 0.1)
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
    #expect(error(samples, from: 84, to: 96, seconds: seconds(64, from: 84, to: 96)) < 0.1)
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

  private func seconds(_ value: UInt8, from first: UInt8, to last: UInt8) -> Double {
    Double(GlideTimes().time(Double(value), interval: Int32(last) - Int32(first))) / 1000
  }

  /// A fifth of a second after one key took the place of another.
  private func lead(_ rack: PlayedRack, from: UInt8, to: UInt8) -> [Float] {
    rack.play(.noteOn(channel: 0, note: from, velocity7: 127))
    _ = rack.render(2400)
    rack.play(.noteOff(channel: 0, note: from), after: 1)
    rack.play(.noteOn(channel: 0, note: to, velocity7: 127))
    // What the first leaves behind is gone.
    return rack.render(9600)
  }

  /// How far a sine's pitch is at most from a glide's line, in semitones; from 25 ms on.
  private func error(_ samples: [Float], from: Double, to: Double, seconds: Double) -> Double {
    pitchTrack(samples).filter { $0.time > 0.025 }.map { time, pitch in
      // A quantum's pitch is the one at its end.
      let quanta = (time * 750).rounded(.down) + 1
      return abs(pitch - (to + (from - to) * max(1 - quanta / 750 / seconds, 0)))
    }.max() ?? .infinity
  }
}
