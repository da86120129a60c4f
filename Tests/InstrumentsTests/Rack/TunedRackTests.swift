import Glibc
import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

/// What plays in a test: oscillator voices, or the sampler with a sine.
enum TunedInstrument: CaseIterable {
  case voices, sampler, native

  func rack(polyphony: Int = 64) throws -> PlayedRack {
    switch self {
    case .voices: try PlayedRack(.bare(), polyphony: polyphony)
    case .sampler: try SineFont.withFile { try PlayedRack([], soundFonts: [$0]) }
    case .native: try SineFont.withFile { try PlayedRack([], soundFonts: [$0], engine: .native) }
    }
  }

  /// In cents. FluidSynth and the native engine play whole ones, the next below.
  var error: Double {
    switch self {
    case .voices: 0.05
    case .sampler, .native: 1.01
    }
  }
}

@Suite("A tuned rack")
struct TunedRackTests {
  @Test(
    "plays the pitch of every kind of message, within a twentieth of a cent, or FluidSynth's cent",
    arguments: TunedInstrument.allCases)
  func pitches(_ instrument: TunedInstrument) throws {
    let program: [MIDIMessage] = [
      .registeredController(channel: 0, parameter: 4, value32: 2 << 25),
      .registeredController(channel: 0, parameter: 3, value32: 9 << 25),
    ]
    for form in TuningForm.all {
      var worst = 0.0
      for key in [UInt8(57), 64] {
        let rack = try instrument.rack()
        rack.play(systemExclusive: form.bytes)
        if form.isInBank { for message in program { rack.play(message) } }
        rack.play(.noteOn(channel: 0, note: key, velocity7: 100))
        _ = rack.render(4800)
        worst = max(worst, abs(cents(of: rack.render(52800), from: frequency(form.pitches[Int(key)]))))
      }
      print("\(instrument), \(form.name): within \((worst * 10000).rounded() / 10000) cents")
      #expect(worst < instrument.error, "\(form.name)")
    }
  }

  @Test(
    "retunes what sounds in real time alone, within a cent and without a click", arguments: TunedInstrument.allCases)
  func realTime(_ instrument: TunedInstrument) throws {
    let quarter = [UInt8(0x7F), 0x7E].map { kind in
      [kind] + scaleTuning(Array(repeating: 50, count: 12)).dropFirst()
    }
    for (bytes, pitch) in [
      (noteTuning([(69, 70)]), 70.0), (noteTuning([(69, 70)], bank: 0), 70), (quarter[0], 69.5),
      (noteTuning([(69, 70)], bank: 0, isRealTime: false), 69), (quarter[1], 69),
      (tuningDump((0..<128).map { min(Double($0) + 1, 127) }), 69),
    ] {
      let rack = try instrument.rack()
      rack.play(.noteOn(channel: 0, note: 69, velocity7: 100))
      var samples = rack.render(4800)
      rack.play(systemExclusive: bytes)
      samples += rack.render(19200)
      let error = coarseCents(of: samples[9600...], from: frequency(pitch))
      #expect(abs(error) < instrument.error)
      // A sine of its height and pitch never moves faster.
      let changing = samples[4000...]
      let peak = Double(changing.map(abs).max() ?? 0)
      let steepest = zip(changing, changing.dropFirst()).map { Double(abs($1 - $0)) }.max() ?? 0
      #expect(steepest < 1.01 * peak * 2 * .pi * frequency(pitch) / 48000)
      // A note to come has the new pitch in any case.
      rack.play(.noteOff(channel: 0, note: 69), .noteOn(channel: 0, note: 69, velocity7: 100))
      _ = rack.render(9600)
      let expected = pitch > 69 ? pitch : bytes.count < 100 && bytes[3] == 9 ? 69.5 : 70
      #expect(abs(coarseCents(of: rack.render(9600)[...], from: frequency(expected))) < instrument.error)
    }
  }

  @Test("selects a tuning for the notes to come, by control changes too", arguments: TunedInstrument.allCases)
  func selection(_ instrument: TunedInstrument) throws {
    let rack = try instrument.rack()
    rack.play(systemExclusive: noteTuning([(69, 70)], bank: 1, program: 8))
    rack.play(systemExclusive: noteTuning([(69, 71)], bank: 1, program: 9))
    for (controller, value) in [(101, 0), (100, 4), (6, 1), (100, 3), (6, 8)] as [(UInt8, UInt8)] {
      rack.play(.controlChange(channel: 0, Controller(rawValue: controller), value7: value))
    }
    rack.play(.noteOn(channel: 0, note: 69, velocity7: 100))
    _ = rack.render(4800)
    #expect(abs(coarseCents(of: rack.render(9600)[...], from: frequency(70))) < instrument.error)
    // One up: not for what sounds.
    rack.play(.controlChange(channel: 0, .dataIncrement, value7: 0))
    _ = rack.render(4800)
    #expect(abs(coarseCents(of: rack.render(9600)[...], from: frequency(70))) < instrument.error)
    rack.play(.noteOff(channel: 0, note: 69), .noteOn(channel: 0, note: 69, velocity7: 100))
    _ = rack.render(9600)
    #expect(abs(coarseCents(of: rack.render(9600)[...], from: frequency(71))) < instrument.error)
  }

  @Test(
    "is equal-tempered again after a system reset", arguments: TunedInstrument.allCases,
    [
      [0x7E, 0x7F, 9, 1], [0x7E, 0x7F, 9, 3], [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41],
      [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0],
    ])
  func reset(_ instrument: TunedInstrument, _ bytes: [UInt8]) throws {
    let rack = try instrument.rack()
    rack.play(systemExclusive: noteTuning([(69, 70)], program: 3))
    rack.play(systemExclusive: scaleTuning(Array(repeating: 30, count: 12)))
    rack.play(.registeredController(channel: 0, parameter: 3, value32: 3 << 25))
    rack.play(systemExclusive: bytes)
    rack.play(.noteOn(channel: 0, note: 69, velocity7: 100))
    _ = rack.render(4800)
    #expect(abs(coarseCents(of: rack.render(9600)[...], from: 440)) < instrument.error)
  }

  @Test("keeps bend and tuning of the channel beside it", arguments: TunedInstrument.allCases)
  func bend(_ instrument: TunedInstrument) throws {
    let rack = try instrument.rack()
    rack.play(systemExclusive: noteTuning([(69, 69.25)]))
    rack.play(
      .registeredController(channel: 0, parameter: 2, value32: 62 << 25), .pitchBend(channel: 0, bend14: 12288),
      .noteOn(channel: 0, note: 69, velocity7: 100))
    _ = rack.render(4800)
    #expect(abs(coarseCents(of: rack.render(9600)[...], from: frequency(69.25 - 2 + 1))) < instrument.error)
  }

  @Test("goes on in tune where one note leads to the next", arguments: TunedInstrument.allCases)
  func legato(_ instrument: TunedInstrument) throws {
    let rack = try instrument.rack()
    rack.play(systemExclusive: noteTuning([(69, 69.5), (71, 71.5)]))
    rack.play(.controlChange(channel: 0, .monoOn, value7: 1), .controlChange(channel: 0, .legato, value7: 127))
    for (message, pitch) in [
      (.noteOn(channel: 0, note: 69, velocity7: 100), 69.5), (.noteOn(channel: 0, note: 71, velocity7: 100), 71.5),
      (.noteOff(channel: 0, note: 71), 69.5),
    ] as [(MIDIMessage, Double)] {
      rack.play(message)
      _ = rack.render(9600)
      #expect(abs(coarseCents(of: rack.render(9600)[...], from: frequency(pitch))) < instrument.error)
    }
  }

  @Test("counts what it passes over")
  func refused() throws {
    let rack = try TunedInstrument.voices.rack()
    rack.play(systemExclusive: Array(tuningDump(Array(repeating: 1, count: 128)).dropLast()))
    rack.play(systemExclusive: noteTuning([(60, 61)]))
    _ = rack.render(64)
    #expect(rack.rack.refusedTuningCount == 1)
  }

  @Test("plays a song's tunings, each from its time on", arguments: TunedInstrument.allCases)
  func song(_ instrument: TunedInstrument) throws {
    func sysEx(_ bytes: [UInt8], after delta: Int = 0) -> [UInt8] {
      vlq(delta) + [0xF0] + vlq(bytes.count + 1) + bytes + [0xF7]
    }
    // Half a second a beat of 480 ticks: a dump at once, a change in real time after a second, a scale after two.
    let track =
      sysEx(tuningDump((0..<128).map { min(Double($0) + 0.2, 127) })) + note(69)
      + sysEx(noteTuning([(69, 69.7)]), after: 960) + sysEx(scaleTuning(Array(repeating: -50, count: 12)), after: 960)
      + end(after: 1920)
    let timeline = Timeline(Song(try MIDIFile(bytes: smf(format: 0, tracks: [track]))), sampleRate: 48000)
    let rack = try instrument.rack()
    rack.rack.events.play(timeline)
    let samples = rack.render(144_000)
    for (second, pitch) in [(0, 69.2), (1, 69.7), (2, 69.2)] {
      let error = coarseCents(of: samples[(48000 * second + 9600)...], from: frequency(pitch))
      print("\(instrument), second \(second) of the song: \((error * 1000).rounded() / 1000) cents off")
      #expect(abs(error) < instrument.error)
    }
  }
}

/// A kind of message, and what it makes of the keys.
private struct TuningForm {
  let name: String
  let bytes: [UInt8]
  /// Whether it is for program 9 of bank 2.
  var isInBank = false
  let pitches: [Double]

  static var all: [TuningForm] {
    let equal = (0..<128).map { Double($0) }
    var keys = equal
    keys[57] = 60
    keys[64] = 64.37
    let notes: [(key: UInt8, pitch: Double)] = [(64, 64.37), (57, 60)]
    let dump = equal.map { $0 * 0.9 + 6.3 }
    let scale = [0, -17.5, 3.9, -6.25, 7.8, 50, -9.8, 2, 63, -64, -2, 11.7]
    let whole = scale.map { $0.rounded() }
    let fine = equal.map { $0 + scale[Int($0) % 12] / 100 }
    let coarse = equal.map { $0 + whole[Int($0) % 12] / 100 }
    return [
      TuningForm(name: "02, notes", bytes: noteTuning(notes), pitches: keys),
      TuningForm(name: "07, notes", bytes: noteTuning(notes, bank: 2, program: 9), isInBank: true, pitches: keys),
      TuningForm(
        name: "07, notes, not in real time", bytes: noteTuning(notes, bank: 2, program: 9, isRealTime: false),
        isInBank: true, pitches: keys),
      TuningForm(name: "01, a dump", bytes: tuningDump(dump), pitches: dump),
      TuningForm(name: "04, a dump", bytes: tuningDump(dump, bank: 2, program: 9), isInBank: true, pitches: dump),
      TuningForm(
        name: "05, an octave", bytes: octaveDump(whole, bank: 2, program: 9, isFine: false), isInBank: true,
        pitches: coarse),
      TuningForm(name: "06, an octave", bytes: octaveDump(scale, bank: 2, program: 9), isInBank: true, pitches: fine),
      TuningForm(name: "08, a scale", bytes: scaleTuning(whole, isFine: false), pitches: coarse),
      TuningForm(name: "09, a scale", bytes: scaleTuning(scale), pitches: fine),
      TuningForm(
        name: "09, a scale, not in real time", bytes: scaleTuning(scale, isRealTime: false), pitches: fine),
    ]
  }
}
