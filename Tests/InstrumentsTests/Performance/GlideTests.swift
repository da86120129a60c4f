import SynthMIDI
import Testing

@testable import SynthInstruments

/// What plays notes for tests of parts: both SoundFont engines and the oscillators.
enum PartInstrument: CaseIterable, CustomTestStringConvertible {
  case native, fluidSynth, oscillators

  var testDescription: String { "\(self)" }

  /// A sine on all channels, on and off at once.
  func player() throws -> PlayedRack {
    switch self {
    case .native: try PlayedParts(.native).player
    case .fluidSynth: try PlayedParts(.fluidSynth).player
    case .oscillators: try PlayedRack(.bare())
    }
  }
}

@Suite("Portamento of all instruments", .timeLimit(.minutes(2)))
struct GlideTests {
  /// Seconds for three octaves, as instruments of GS and XG were measured (J. Novak, for DOSBox Staging).
  @Test(
    "the curve is that of instruments within a seventh",
    arguments: [(16, 0.25), (32, 0.5), (64, 2.06), (80, 4.2), (96, 8.4), (112, 19.5)])
  func curve(value: Double, measured: Double) {
    let seconds = Double(GlideTimes().time(value, interval: 36)) / 1000
    #expect(abs(seconds / measured - 1) < 1.0 / 7, "\(seconds) s")
  }

  @Test("the curve begins at no time, ends at eight minutes, and is in proportion to the interval")
  func ends() {
    let times = GlideTimes()
    #expect(times.time(0, interval: 36) == 0 && times.time(127, interval: 36) == 480_000)
    #expect(times.time(64, interval: -12) == times.time(64, interval: 12))
    #expect(abs(times.time(64, interval: 12) * 3 - times.time(64, interval: 36)) <= 2)
    let curve = (0..<128).map { times.time(Double($0), interval: 36) }
    #expect(curve == curve.sorted())
  }

  private func control(_ player: PlayedRack, _ settings: (UInt8, UInt8)...) {
    for (number, value) in settings {
      player.play(.controlChange(channel: 0, Controller(rawValue: number), value7: value))
    }
  }

  /// The pitches of a note at times, in seconds from its beginning; a note of another key came before.
  private func glide(_ player: PlayedRack, from first: UInt8, to last: UInt8, at times: [Double]) -> [Double] {
    player.play(.noteOn(channel: 0, note: first, velocity7: 100))
    _ = player.render(9600)
    player.play(.noteOff(channel: 0, note: first))
    _ = player.render(9600)
    player.play(.noteOn(channel: 0, note: last, velocity7: 100))
    let track = pitchTrack(player.render(48000))
    player.play(.noteOff(channel: 0, note: last))
    _ = player.render(9600)
    return times.map { time in track.min { abs($0.time - time) < abs($1.time - time) }?.pitch ?? 0 }
  }

  private func expect(_ pitches: [Double], _ expected: [Double]) {
    for (pitch, expected) in zip(pitches, expected) { #expect(abs(pitch - expected) < 0.5, "\(pitches)") }
  }

  @Test("controller 5 alone: two octaves at 32 take a third of a second", arguments: PartInstrument.allCases)
  func coarse(_ instrument: PartInstrument) throws {
    let player = try instrument.player()
    control(player, (5, 32), (65, 127))
    let seconds = Double(GlideTimes().time(32, interval: 24)) / 1000
    #expect(abs(seconds - 0.34) < 0.01)
    let times = [seconds / 4, seconds / 2, seconds * 3 / 4, seconds + 0.1, 0.9]
    expect(glide(player, from: 57, to: 81, at: times), [63, 69, 75, 81, 81])
    expect(glide(player, from: 81, to: 57, at: times), [75, 69, 63, 57, 57])
  }

  @Test("with controller 37 both are milliseconds, whatever the interval", arguments: PartInstrument.allCases)
  func fine(_ instrument: PartInstrument) throws {
    let player = try instrument.player()
    // 3 · 128 + 16 = 400 ms.
    control(player, (37, 16), (5, 3), (65, 127))
    expect(glide(player, from: 57, to: 81, at: [0.1, 0.2, 0.3, 0.5]), [63, 69, 75, 81])
    expect(glide(player, from: 69, to: 73, at: [0.1, 0.2, 0.3, 0.5]), [70, 71, 72, 73])
    // A fine time of 0 counts, until all controllers are reset.
    control(player, (37, 0))
    expect(glide(player, from: 57, to: 81, at: [0.192, 0.4]), [69, 81])
    control(player, (121, 0), (5, 32), (65, 127))
    expect(glide(player, from: 57, to: 81, at: [0.17, 0.5]), [69, 81])
  }

  @Test("nothing glides while controller 65 is off, nor after it", arguments: PartInstrument.allCases)
  func off(_ instrument: PartInstrument) throws {
    let player = try instrument.player()
    control(player, (5, 64))
    expect(glide(player, from: 57, to: 81, at: [0.05, 0.3]), [81, 81])
    control(player, (65, 127), (65, 0))
    expect(glide(player, from: 57, to: 81, at: [0.05, 0.3]), [81, 81])
  }

  @Test("controller 84 has the next note glide from its key, by the same time", arguments: PartInstrument.allCases)
  func source(_ instrument: PartInstrument) throws {
    let player = try instrument.player()
    control(player, (5, 32), (84, 57))
    player.play(.noteOn(channel: 0, note: 81, velocity7: 100))
    let track = pitchTrack(player.render(24000))
    func pitch(_ time: Double) -> Double {
      track.min { abs($0.time - time) < abs($1.time - time) }?.pitch ?? 0
    }
    expect([pitch(0.085), pitch(0.17), pitch(0.45)], [63, 69, 81])
  }

  @Test("the portamento of an XG part is that of controllers 65 and 5", arguments: PartInstrument.allCases)
  func part(_ instrument: PartInstrument) throws {
    let player = try instrument.player()
    player.play(systemExclusive: PartMessages.xg((8, 0, 0x67), 1, 32))
    expect(glide(player, from: 57, to: 81, at: [0.17, 0.5]), [69, 81])
  }
}
