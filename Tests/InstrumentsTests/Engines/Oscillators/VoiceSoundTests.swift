import Glibc
import SynthMIDI
import Testing

@testable import SynthInstruments

@Suite("A voice of the oscillator instrument")
struct VoiceSoundTests {
  @Test("is in tune to a hundredth of a cent, from the lowest key to the highest", arguments: [UInt8(12), 60, 69, 108])
  func tuning(_ key: UInt8) throws {
    let rack = try PlayedRack(.bare())
    rack.play(.noteOn(channel: 0, note: key, velocity7: 127))
    let expected = 440 * pow(2, (Double(key) - 69) / 12)
    let cents = self.cents(rack, expected)
    print("key \(key) is \(cents) cents off")
    #expect(abs(cents) < 0.01)
  }

  @Test(
    "follows bend, bend range, fine and coarse tuning",
    arguments: [
      (UInt16(0x3FFF), 2.0 * 8191 / 8192), (0, -2), (0x3000, 1),
    ])
  func bend(_ bend: UInt16, semitones: Double) throws {
    let rack = try PlayedRack(.bare())
    rack.play(
      .registeredController(channel: 0, parameter: 1, value32: 0xC000_0000),
      .registeredController(channel: 0, parameter: 2, value32: 76 << 25),
      .pitchBend(channel: 0, bend14: bend), .noteOn(channel: 0, note: 57, velocity7: 127))
    // Half a semitone of fine tuning and an octave of coarse tuning above A, 220 Hz.
    #expect(abs(cents(rack, 440 * pow(2, (semitones + 0.5) / 12))) < 0.05)
  }

  @Test("starts at its frame within the quantum", arguments: [Int64(0), 1, 37, 63])
  func start(_ frame: Int64) throws {
    let rack = try PlayedRack(.bare(.pulse))
    rack.play(.noteOn(channel: 0, note: 60, velocity7: 127), after: frame)
    let samples = rack.render(128)
    let first = samples.firstIndex { abs($0) > 1e-6 }
    // A pulse is in the middle of its step at the start of the quantum.
    #expect(first == Int(max(frame, 1)))
  }

  @Test("ends after its release and leaves silence")
  func end() throws {
    var patch = Patch.bare()
    patch.amplitude.release = 0.01
    let rack = try PlayedRack(patch)
    rack.play(.noteOn(channel: 0, note: 60, velocity7: 127))
    _ = rack.render(4800)
    rack.play(.noteOff(channel: 0, note: 60, velocity7: 0))
    _ = rack.render(960)
    #expect(rack.render(480).allSatisfy { $0 == 0 })
    #expect(rack.rack.activeVoiceCount == 0)
  }

  @Test("is as loud as its patch, volume, expression and pan say")
  func level() throws {
    var patch = Patch.bare()
    patch.level = -6
    let rack = try PlayedRack(patch)
    rack.play(
      .controlChange(channel: 0, .volume, value7: 127), .controlChange(channel: 0, .pan, value7: 0),
      .noteOn(channel: 0, note: 69, velocity7: 127))
    _ = rack.render(64)
    let full = rms(rack.render(48000))
    // The mixer pans its strips with constant power too: -3 dB in the middle.
    #expect(abs(20 * log10(full * 2.0.squareRoot()) + 6) < 3.1)
    rack.play(.controlChange(channel: 0, .expression, value32: 0x8000_0000))
    _ = rack.render(64)
    #expect(abs(rms(rack.render(48000)) / full - 0.25) < 1e-3)
  }

  @Test("that yields fades, and the new one begins, without a step above −60 dBFS")
  func stealing() throws {
    var patch = Patch.bare()
    patch.velocity.range = 0
    let rack = try PlayedRack(patch, polyphony: 1)
    // Sines from 8.2 Hz on, so slow that a jump from sample to sample is a step.
    rack.play(.noteOn(channel: 0, note: 0, velocity7: 127))
    var samples = rack.render(6000)
    for key in UInt8(1)...8 {
      rack.play(.noteOn(channel: 0, note: key, velocity7: 127), after: Int64(key) * 5)
      samples += rack.render(2000)
    }
    var highest: Float = 0
    var last: Float = 0
    for sample in samples {
      highest = max(highest, abs(sample - last))
      last = sample
    }
    let level = 20 * log10(Double(highest))
    print("the highest step while a voice is stolen eight times: \(tenth(level)) dBFS")
    #expect(level < -60)
  }

  /// How far a sounding note is from a frequency.
  private func cents(_ rack: PlayedRack, _ frequency: Double) -> Double {
    _ = rack.render(4800)
    return InstrumentsTests.cents(of: rack.render(52800), from: frequency)
  }
}
