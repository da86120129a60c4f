import Glibc
import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

/// A controller's turn from its middle: -1 to 1, as its seven bits are widened.
private func turn(_ value: UInt8) -> Double {
  Double(signed(MIDIMessage.controlChange(channel: 0, .volume, value7: value).value32))
}

@Suite("The sound controllers of the oscillator voices")
struct SoundControllerTests {
  @Test("make the attack a tenth to ten times as long", arguments: [UInt8(0), 64, 96, 127])
  func attack(_ value: UInt8) throws {
    var patch = Patch.bare()
    patch.amplitude = Patch.Envelope(attack: 0.04)
    let rack = try PlayedRack(patch)
    rack.play(.controlChange(channel: 0, .attackTime, value7: value), .noteOn(channel: 0, note: 96, velocity7: 127))
    let seconds = 0.04 * pow(10, turn(value))
    let samples = rack.render(Int(seconds * 48000) + 1000)
    let half =
      level(samples, at: seconds / 2, within: seconds / 4) / level(samples, at: seconds + 0.015, within: 0.005)
    print("attack \(value): \(seconds) s, at its half \(half)")
    // The root of the mean square of a straight line from a quarter to three quarters.
    #expect(abs(half - (13.0 / 48).squareRoot()) < 0.01)
  }

  @Test("make decay and release a tenth to ten times as long", arguments: [UInt8(0), 64, 96, 127])
  func decay(_ value: UInt8) throws {
    for controller in [Controller.decayTime, .releaseTime] {
      var patch = Patch.bare()
      patch.amplitude = Patch.Envelope(decay: 0.1, sustain: controller == .decayTime ? 0 : 1, release: 0.1)
      let rack = try PlayedRack(patch)
      rack.play(.controlChange(channel: 0, controller, value7: value), .noteOn(channel: 0, note: 96, velocity7: 127))
      _ = rack.render(64)
      if controller == .releaseTime { rack.play(.noteOff(channel: 0, note: 96)) }
      // 60 dB in the time.
      let seconds = 0.1 * pow(10, turn(value))
      let samples = rack.render(Int(seconds * 0.6 * 48000) + 300)
      let width = min(0.005, 0.1 * seconds)
      let fall =
        20
        * log10(
          level(samples, at: 0.6 * seconds, within: width) / level(samples, at: 0.2 * seconds, within: width))
      print("\(controller == .decayTime ? "decay" : "release") \(value): \(seconds) s, \(fall) dB in 40 % of it")
      #expect(abs(fall + 24) < 0.5)
    }
  }

  @Test("turn the cutoff by four octaves and its gain by 20 dB either way", arguments: [UInt8(0), 40, 64, 90, 127])
  func filter(_ value: UInt8) throws {
    for controller in [Controller.brightness, .resonance] {
      var patch = Patch.bare(.saw)
      let bare = try harmonics(patch, [])
      patch.filter = Patch.Filter(cutoff: 700)
      let filtered = try harmonics(patch, [.controlChange(channel: 0, controller, value7: value)])
      let cutoff = 700 * pow(2, controller == .brightness ? 4 * turn(value) : 0)
      let damping = pow(10, 3 / 20.0) * pow(2, controller == .resonance ? -3.3 * turn(value) : 0)
      var worst = 0.0
      for (index, (with, without)) in zip(filtered, bare).enumerated() {
        // The analogue prototype, warped as the bilinear transform does.
        let x = tan(.pi * 220 * Double(index + 1) / 48000) / tan(.pi * min(cutoff, 0.45 * 48000) / 48000)
        let expected = -10 * log10((1 - x * x) * (1 - x * x) + damping * damping * x * x)
        if expected > -60 { worst = max(worst, abs(20 * log10(with / without) - expected)) }
      }
      print("\(controller == .brightness ? "brightness" : "resonance") \(value): within \(worst) dB of the formula")
      #expect(worst < 0.1)
    }
  }

  @Test("turn rate, depth and delay of the vibrato", arguments: [UInt8(0), 64, 96, 127])
  func vibrato(_ value: UInt8) throws {
    var patch = Patch.bare()
    patch.lfo.rate = 5
    patch.lfo.pitch = 60
    let faster = try vibrato(patch, [.controlChange(channel: 0, .vibratoRate, value7: value)], to: 2.6)
    #expect(abs(faster.rate / (5 * pow(4, turn(value))) - 1) < 0.03)
    let deeper = try vibrato(patch, [.controlChange(channel: 0, .vibratoDepth, value7: value)])
    #expect(abs(deeper.cents - (60 + 50 * turn(value))) < 1)
    patch.lfo.delay = 2.5
    let later = try vibrato(patch, [.controlChange(channel: 0, .vibratoDelay, value7: value)], from: 0.5, to: 1)
    // It swings in full after the delay; at the last height before a second it is that part of it.
    let part = 1 / (2.5 + 2 * turn(value))
    print("vibrato \(value): \(faster.rate) Hz, \(deeper.cents) cents, after a second \(later.cents) cents of 60")
    #expect(abs(later.cents / 60 - min(part, 1) * 0.95) < 0.06 * min(part, 1))
  }

  @Test("RPN 5 sets the depth of the modulation wheel, which is the patch's until then")
  func modulationRange() throws {
    var patch = Patch.bare()
    patch.lfo.wheel = 30
    let wheel = MIDIMessage.controlChange(channel: 0, .modulation, value7: 127)
    #expect(abs(try vibrato(patch, [wheel]).cents - 30) < 0.5)
    for (most, least, cents) in [(0, 64, 50.0), (2, 0, 200), (1, 32, 125)] as [(UInt8, UInt8, Double)] {
      let range = [(101, 0), (100, 5), (6, most), (38, least)].map {
        MIDIMessage.controlChange(channel: 0, Controller(rawValue: $0), value7: $1)
      }
      let measured = try vibrato(patch, range + [wheel]).cents
      print("modulation depth range of \(cents) cents: \(measured)")
      #expect(abs(measured / cents - 1) < 0.01)
    }
  }

  // MARK: - Measurement

  /// The amplitude about a time.
  private func level(_ samples: [Float], at seconds: Double, within width: Double) -> Double {
    let middle = Int(seconds * 48000)
    let half = Int(width * 48000)
    return rms(samples[(middle - half)..<(middle + half)])
  }

  /// The amplitudes of the partials of 220 Hz, from the first to the twentieth.
  private func harmonics(_ patch: Patch, _ messages: [MIDIMessage]) throws -> [Double] {
    let rack = try PlayedRack(patch)
    for message in messages { rack.play(message) }
    rack.play(.noteOn(channel: 0, note: 57, velocity7: 127))
    _ = rack.render(2400)
    let samples = rack.render(9600)
    return (1...20).map { amplitude(samples, 220 * Double($0)) }
  }

  private func vibrato(
    _ patch: Patch, _ messages: [MIDIMessage], from start: Double = 0.2, to end: Double = 0.7
  ) throws -> (rate: Double, cents: Double) {
    let rack = try PlayedRack(patch)
    for message in messages { rack.play(message) }
    rack.play(.noteOn(channel: 0, note: 96, velocity7: 127))
    let track = pitchTrack(rack.render(Int(end * 48000))).filter { $0.time >= start && $0.time < end }
    let deviations = track.map { 100 * ($0.pitch - 96) }
    var rises: [Double] = []
    var isLow = false
    for (point, deviation) in zip(track, deviations) {
      if isLow, deviation > 5 { rises.append(point.time) }
      isLow = deviation < -5 || (isLow && deviation <= 5)
    }
    let rate = rises.count > 1 ? Double(rises.count - 1) / (rises[rises.count - 1] - rises[0]) : 0
    return (rate, deviations.map(abs).max() ?? 0)
  }
}
