@preconcurrency import Glibc
import SynthRealtime
import TestSupport
import Testing

@testable import SynthDSP

@Suite("Chorus") struct ChorusTests {
  private static let rate = 48000.0

  @Test("its numbers are General MIDI 2's: chorus 3 moves at 0.37 Hz over 6.25 ms, the flanger feeds back 85 %")
  func settings() {
    let chorus3 = ChorusType.chorus3.setting
    #expect(abs(chorus3.rate - 0.366) < 1e-4 && chorus3.depth == 6.25 && abs(chorus3.feedback - 0.06104) < 1e-5)
    #expect(abs(ChorusType.flanger.setting.feedback - 0.85456) < 1e-5)
    #expect(ChorusSetting(rate: -1, depth: 99, feedback: .nan).depth == 40)
  }

  @Test("a constant comes back as itself over one less the feedback", arguments: ChorusType.allCases)
  func constant(_ type: ChorusType) {
    let output = Chorus(type).process([Float](repeating: 0.25, count: 48000)).left
    let expected = 0.25 / (1 - type.setting.feedback)
    #expect(output.suffix(100).allSatisfy { abs($0 - expected) < 1e-3 })
  }

  @Test("an impulse comes back twice a side, between 1 ms and the depth beyond that")
  func voices() {
    let setting = ChorusSetting(rate: 1, depth: 5, feedback: 0)
    let chorus = Chorus(.chorus1)
    chorus.set(setting)
    _ = chorus.process([Float](repeating: 0, count: 48000 / 64 * 64))
    var input = [Float](repeating: 0, count: 640)
    input[0] = 1
    let output = chorus.process(input)
    for side in [output.left, output.right] {
      let sounding = side.indices.filter { abs(side[$0]) > 0.01 }
      #expect(sounding.allSatisfy { (48...48 * 6 + 5).contains($0) })
      #expect(abs(side.reduce(0, +) - 1) < 1e-3)
    }
    #expect(output.left != output.right)
  }

  @Test("beside a tone there is nothing below -90 dB that the swing does not make", arguments: [1000.0, 5000])
  func noZipper(frequency: Double) {
    let chorus = Chorus(.chorus3)
    let output = Array(chorus.process(sine(frequency, sampleRate: Self.rate, count: 64 * 1500)).left.suffix(48000))
    // Far from the tone and its Doppler shifts; 750 Hz is how often blocks begin.
    for distance in [-750.0, 750, 1500, 2250] {
      let level = Decibels(amplitude: amplitude(output, at: frequency + distance))
      #expect(level < -90, "\(distance) Hz from the tone: \(level)")
    }
  }

  @Test("a setting changed amid sound makes no step", arguments: ChorusType.allCases)
  func change(_ type: ChorusType) {
    let chorus = Chorus(.chorus1)
    let tone = sine(300, sampleRate: Self.rate, count: 64 * 300)
    let before = chorus.process(tone).left
    chorus.set(type.setting)
    let after = chorus.process(tone).left
    func sharpest(_ signal: [Float]) -> Float {
      zip(signal, signal.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }
    #expect(sharpest(Array(before.suffix(1)) + after.prefix(640)) < 1.5 * sharpest(before))
  }

  @Test("below 8 kHz, where delays are shorter than eight frames, it is as at 8 kHz", arguments: ChorusType.allCases)
  func lowRate(_ type: ChorusType) {
    let tone = sine(300, sampleRate: 8000, count: 64 * 125)
    let (low, high) = (Chorus(type, sampleRate: 7999).process(tone), Chorus(type, sampleRate: 8000).process(tone))
    #expect(low.left != high.left && low.left.contains { abs($0) > 0.3 })
    for (low, high) in [(low.left, high.left), (low.right, high.right)] {
      #expect(zip(low, high).allSatisfy { abs($0 - $1) < 0.03 })
    }
  }

  @Test("the tail of silence dies to exact silence, and says so")
  func silence() {
    let chorus = Chorus(.flanger)
    let silence = [Float](repeating: 0, count: 64)
    #expect(chorus.process(silence, isSilent: true).isSilent)
    _ = chorus.process([Float](repeating: 0.5, count: 6400))
    #expect(!chorus.process(silence, isSilent: true).isSilent)
    var blocks = 0
    while !chorus.process(silence, isSilent: true).isSilent, blocks < 3000 { blocks += 1 }
    #expect(blocks < 3000)
    #expect(chorus.process(silence, isSilent: true).left == silence)
  }

  @Test("what is no number is forgotten within a block", arguments: [Float.nan, .infinity])
  func healing(bad: Float) {
    let chorus = Chorus(.flanger)
    var signal = [Float](repeating: 0.1, count: 64 * 60)
    signal[10] = bad
    _ = chorus.process(signal)
    #expect(chorus.process([Float](repeating: 0.1, count: 6400)).left.allSatisfy { abs($0) < 2 })
  }
}

/// The amplitude of a sine of a frequency in a signal, under a Blackman-Harris window.
private func amplitude(_ signal: [Float], at frequency: Double) -> Double {
  var (re, im, sum) = (0.0, 0.0, 0.0)
  for (n, x) in signal.enumerated() {
    let angle = 2 * .pi * Double(n) / Double(signal.count)
    let window = 0.35875 - 0.48829 * cos(angle) + 0.14128 * cos(2 * angle) - 0.01168 * cos(3 * angle)
    let phase = 2 * .pi * frequency * Double(n) / 48000
    re += Double(x) * window * cos(phase)
    im += Double(x) * window * sin(phase)
    sum += window
  }
  return 2 * (re * re + im * im).squareRoot() / sum
}

/// A chorus on the heap, as a node would hold it.
private final class Chorus {
  private let processor: Box<ChorusProcessor>

  init(_ type: ChorusType, sampleRate: Double = 48000) {
    processor = Box(ChorusProcessor(type: type, sampleRate: sampleRate))
  }

  func set(_ setting: ChorusSetting) { processor.pointer.pointee.set(setting) }

  /// Gives the same to both inputs.
  func process(_ input: [Float], isSilent: Bool = false) -> (left: [Float], right: [Float], isSilent: Bool) {
    inStereoBlocks(input) { left, right in
      processor.pointer.pointee.process(
        left: left, right: right, leftOutput: left, rightOutput: right, inputIsSilent: isSilent)
    }
  }
}
