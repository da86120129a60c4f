@preconcurrency import Glibc
import SynthRealtime
import TestSupport
import Testing

@testable import SynthDSP

@Suite("Reverb") struct ReverbTests {
  private static let rate = 48000.0

  @Test(
    "every octave falls by 60 dB in its time, evenly",
    arguments: ReverbType.allCases.map { ($0, 48000.0) } + [(.mediumHall, 44100), (.mediumHall, 96000)])
  func decayTimes(_ type: ReverbType, sampleRate: Double) {
    let response = impulseResponse(type, seconds: 1.4, sampleRate: sampleRate).left
    for octave in [125.0, 500, 1000, 2000, 4000, 8000] {
      let measured = decay(octaveBand(response, at: octave, sampleRate: sampleRate), sampleRate: sampleRate)
      let claimed = claimedTime(type, at: octave, sampleRate: sampleRate)
      #expect(abs(measured.time / claimed - 1) < 0.17, "\(type) at \(octave) Hz: \(measured.time), not \(claimed)")
      #expect(measured.deviation < 2.5, "\(type) at \(octave) Hz")
    }
  }

  @Test("sounds as long at 4 kHz as at 8 kHz")
  func lowRate() {
    let energies = [4000.0, 8000].map { rate in
      let response = impulseResponse(.mediumHall, seconds: 1, sampleRate: rate).left
      func energy(_ samples: some Sequence<Float>) -> Float { samples.reduce(0) { $0 + $1 * $1 } }
      return energy(response.suffix(response.count / 2)) / energy(response)
    }
    #expect(energies[0] > 0 && (0.5...2).contains(energies[0] / energies[1]), "\(energies)")
  }

  @Test("is as dense as noise after three twentieths of a second, and stays so", arguments: ReverbType.allCases)
  func density(_ type: ReverbType) {
    let response = impulseResponse(type, seconds: 0.7, sampleRate: Self.rate).left
    for milliseconds in stride(from: 150, to: 650, by: 50) {
      let density = echoDensity(response, around: 48 * milliseconds, sampleRate: Self.rate)
      #expect(density > 0.75, "\(type) after \(milliseconds) ms: \(density)")
    }
  }

  @Test("left and right have nothing in common, also for a mono input", arguments: ReverbType.allCases)
  func width(_ type: ReverbType) {
    let response = impulseResponse(type, seconds: 1, sampleRate: Self.rate)
    #expect(abs(correlation(response.left, response.right)) < 0.1)
  }

  @Test("white noise comes back 4 to 10 dB softer, mostly for want of highs, from every room")
  func loudness() {
    for type in ReverbType.allCases {
      let response = impulseResponse(type, seconds: 2, sampleRate: Self.rate)
      let energy = response.left.reduce(0) { $0 + Double($1) * Double($1) }
      #expect((-10 ... -4).contains(Decibels(amplitude: energy.squareRoot())), "\(type)")
    }
  }

  @Test("a room asked for amid sound fades in without a step", arguments: [ReverbType.smallRoom, .largeHall])
  func change(_ type: ReverbType) {
    let reverb = Reverb(.largeHall, sampleRate: Self.rate)
    let tone = sine(300, sampleRate: Self.rate, count: 48000)
    let before = reverb.process(tone).left
    reverb.set(ReverbRoom(type, time: 3))
    let after = before.suffix(1) + reverb.process(tone).left
    // A tone alone bends as much from step to step as its angle per sample; a click bends as much as it steps.
    let steps = zip(after, after.dropFirst()).map { $1 - $0 }
    let bends = zip(steps, steps.dropFirst()).map { $1 - $0 }
    let angle = Float(2 * Double.pi * 300 / Self.rate)
    #expect((bends.map(abs).max() ?? 1) < 1.5 * angle * (steps.map(abs).max() ?? 0))
    #expect(after.suffix(100).contains { abs($0) > 0.01 })
  }

  @Test("the tail dies to exact silence, says so, and what comes then sounds like the first time")
  func silence() {
    let reverb = Reverb(.smallRoom, sampleRate: Self.rate)
    let silence = [Float](repeating: 0, count: 64)
    #expect(reverb.process(silence, isSilent: true).isSilent)
    let first = reverb.process(impulse(6400)).left
    #expect(!reverb.process(silence, isSilent: true).isSilent)
    var blocks = 0
    while !reverb.process(silence, isSilent: true).isSilent, blocks < 3000 { blocks += 1 }
    #expect((500..<3000).contains(blocks))
    #expect(reverb.process(silence, isSilent: true).left == silence)
    let again = reverb.process(impulse(6400)).left
    // The modulation has gone on; all else is as it was.
    #expect(abs(correlation(first, again)) > 0.3)
  }

  @Test("what is no number is forgotten within a block", arguments: [Float.nan, .infinity])
  func healing(bad: Float) {
    let reverb = Reverb(.smallRoom, sampleRate: Self.rate)
    var signal = [Float](repeating: 0.1, count: 64 * 60)
    signal[10] = bad
    _ = reverb.process(signal)
    let after = reverb.process([Float](repeating: 0.1, count: 6400)).left
    #expect(after.allSatisfy { abs($0) < 10 })
  }
}

/// What the stored geometry claims: the time from the loss of the mean line on its way.
private func claimedTime(_ type: ReverbType, at frequency: Double, sampleRate: Double) -> Double {
  let room = type.room
  let time = Double(type.standardTime)
  // A first-order shelf in decibels: at the frequency f the share (f/c)² / (1 + (f/c)²) of the way, as long as a way
  // takes little.
  let ratio = tan(.pi * frequency / sampleRate) / tan(.pi * room.corner / sampleRate)
  let share = ratio * ratio / (1 + ratio * ratio)
  return time / (1 + share * (1 / room.highShare - 1))
}

private func impulse(_ count: Int) -> [Float] {
  var signal = [Float](repeating: 0, count: count)
  signal[0] = 1
  return signal
}

private func impulseResponse(
  _ type: ReverbType, seconds: Double, sampleRate: Double
) -> (left: [Float], right: [Float]) {
  let result = Reverb(type, sampleRate: sampleRate).process(impulse(Int(seconds * sampleRate) / 64 * 64))
  return (result.left, result.right)
}

/// A reverb on the heap, as a node would hold it.
private final class Reverb {
  private let processor: Box<ReverbProcessor>

  init(_ type: ReverbType, sampleRate: Double) {
    processor = Box(ReverbProcessor(type: type, sampleRate: sampleRate))
  }

  func set(_ room: ReverbRoom) { processor.pointer.pointee.set(room) }

  /// Gives the same to both inputs.
  func process(_ input: [Float], isSilent: Bool = false) -> (left: [Float], right: [Float], isSilent: Bool) {
    inStereoBlocks(input) { left, right in
      processor.pointer.pointee.process(
        left: left, right: right, leftOutput: left, rightOutput: right, inputIsSilent: isSilent)
    }
  }
}
