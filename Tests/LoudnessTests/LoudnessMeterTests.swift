import Foundation
import SynthDSP
import SynthLoudness
import Testing

/// A sine of 1 kHz at 48 kHz that goes on from one passage to the next, in dB of its peak, all channels in phase.
private func tone(_ passages: [(level: Double, seconds: Double)]) -> [Float] {
  var samples: [Float] = []
  for (level, seconds) in passages {
    let amplitude = Decibels(level).amplitude
    for _ in 0..<Int(seconds * 48000) { samples.append(Float(amplitude * sin(Double(samples.count) * .pi / 24))) }
  }
  return samples
}

private func measured(_ channels: [[Float]], rate: Int = 48000) throws -> Loudness {
  let meter = try #require(LoudnessMeter(channelCount: channels.count, sampleRate: rate))
  meter.add(channels)
  return meter.loudness
}

private struct Programme: CustomStringConvertible {
  let description: String
  let passages: [(level: Double, seconds: Double)]
  let expected: Double
}

@Suite("Loudness by EBU R 128")
struct LoudnessMeterTests {
  @Test(
    "The integrated loudness of EBU Tech 3341, cases 1 to 5, is right to 0.1 LU",
    arguments: [
      Programme(description: "1", passages: [(-23, 20)], expected: -23),
      Programme(description: "2", passages: [(-33, 20)], expected: -33),
      Programme(description: "3", passages: [(-36, 10), (-23, 60), (-36, 10)], expected: -23),
      Programme(description: "4", passages: [(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], expected: -23),
      Programme(description: "5", passages: [(-26, 20), (-20, 20.1), (-26, 20)], expected: -23),
    ])
  private func integrated(programme: Programme) throws {
    let samples = tone(programme.passages)
    #expect(abs(try measured([samples, samples]).integrated.value - programme.expected) <= 0.1)
  }

  @Test("Case 6 too, where centre and surrounds have their weights, with and without low frequencies")
  func surround() throws {
    let levels = [-28.0, -28, -24, -30, -30].map { tone([($0, 20)]) }
    #expect(abs(try measured(levels).integrated.value + 23) <= 0.1)
    var withLowFrequencies = levels
    withLowFrequencies.insert(tone([(0, 20)]), at: 3)
    #expect(abs(try measured(withLowFrequencies).integrated.value + 23) <= 0.1)
  }

  @Test("Each channel counts by its place: 1.5 dB more for surrounds up to 120°, nothing for low frequencies")
  func weights() throws {
    let plain = -3.01
    let places: [Int: [Double]] = [
      1: [0], 2: [0, 0], 3: [0, 0, 0], 4: [0, 0, 1.5, 1.5], 6: [0, 0, 0, -.infinity, 1.5, 1.5],
      7: [0, 0, 0, 0, 0, 0, 0], 8: [0, 0, 0, -.infinity, 0, 0, 1.5, 1.5],
    ]
    let samples = tone([(0, 1)])
    for (count, weights) in places {
      for (channel, weight) in weights.enumerated() {
        var channels = Array(repeating: [Float](repeating: 0, count: samples.count), count: count)
        channels[channel] = samples
        let integrated = try measured(channels).integrated.value
        #expect(integrated == weight || abs(integrated - weight - plain) < 0.05, "\(channel) of \(count)")
      }
    }
  }

  @Test(
    "The loudness range of EBU Tech 3342, cases 1 to 4, is right to 1 LU",
    arguments: [
      Programme(description: "1", passages: [(-20, 20), (-30, 20)], expected: 10),
      Programme(description: "2", passages: [(-20, 20), (-15, 20)], expected: 5),
      Programme(description: "3", passages: [(-40, 20), (-20, 20)], expected: 20),
      Programme(
        description: "4", passages: [(-50, 20), (-35, 20), (-20, 20), (-35, 20), (-50, 20)], expected: 15),
    ])
  private func range(programme: Programme) throws {
    let samples = tone(programme.passages)
    #expect(abs(try measured([samples, samples]).range.value - programme.expected) <= 1)
  }

  @Test(
    "The true peak of EBU Tech 3341, cases 15 to 19, is right to +0.2 and −0.4 dB, also between the samples",
    arguments: [(4, 0, 0.5, -6), (4, 45, 0.5, -6), (6, 60, 0.5, -6), (8, 67.5, 0.5, -6), (4, 45, 1.41, 3)])
  func truePeak(period: Double, phase: Double, amplitude: Double, expected: Double) throws {
    // It fades, as an abrupt beginning has higher peaks.
    let samples = (0..<48000).map { frame in
      let fade = min(1, Double(min(frame, 47999 - frame)) / 4800)
      return Float(amplitude * fade * sin(2 * .pi * (Double(frame) / period + phase / 360)))
    }
    let peak = try measured([samples, samples]).truePeak.value
    #expect(expected - 0.4 <= peak && peak <= expected + 0.2, "\(peak)")
  }

  @Test("Blocks of any size and pointers give the same")
  func blocks() throws {
    let samples = tone([(-20, 2), (-30, 2)])
    let other = samples.map { -$0 / 2 }
    let whole = try measured([samples, other])
    let meter = try #require(LoudnessMeter(channelCount: 2, sampleRate: 48000))
    let (left, right) = (copy(samples), copy(other))
    defer { for block in [left, right] { block.deallocate() } }
    var done = 0
    while done < samples.count {
      let count = min(1 + done % 9999, samples.count - done)
      meter.add([left.baseAddress! + done, right.baseAddress! + done], frameCount: count)
      done += count
    }
    #expect(meter.loudness == whole)
  }

  private func copy(_ samples: [Float]) -> UnsafeMutableBufferPointer<Float> {
    let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: samples.count)
    _ = block.initialize(from: samples)
    return block
  }

  @Test("Silence, what is shorter than a block of 0.4 s, and nothing at all are −∞ LUFS")
  func silence() throws {
    #expect(try measured([[Float](repeating: 0, count: 96000)]).integrated == LUFS(-.infinity))
    let short = try measured([tone([(-6, 0.3)])])
    #expect(short.integrated == LUFS(-.infinity) && short.range == 0 && abs(short.truePeak.value + 6) < 0.2)
    #expect(try measured([[]]) == Loudness(integrated: LUFS(-.infinity), range: 0, truePeak: DBTP(-.infinity)))
  }

  @Test("It measures at any rate from 8 kHz on, and up to 64 channels", arguments: [8000, 44100, 96000, 192_000])
  func rates(rate: Int) throws {
    let samples = (0..<4 * rate).map { Float(0.5 * sin(2 * .pi * 1000 * Double($0) / Double(rate))) }
    #expect(abs(try measured([samples, samples], rate: rate).integrated.value + 6.02) <= 0.1)
    for (count, rate) in [(0, 48000), (65, 48000), (2, 7999), (2, 3_000_000), (-1, 48000)] {
      #expect(LoudnessMeter(channelCount: count, sampleRate: rate) == nil)
    }
  }
}

@Suite("A loudness that is aimed at")
struct LoudnessTargetTests {
  private func gain(_ target: LoudnessTarget, integrated: Double, truePeak: Double) -> Decibels {
    target.gain(for: Loudness(integrated: LUFS(integrated), range: 5, truePeak: DBTP(truePeak)))
  }

  @Test("The gain is what lacks, either way, and less where the true peak would be above −1 dBTP")
  func gains() {
    #expect(gain(LoudnessTarget(-23), integrated: -30, truePeak: -20) == 7)
    #expect(gain(LoudnessTarget(-23), integrated: -12, truePeak: 2) == -11)
    #expect(gain(LoudnessTarget(-14), integrated: -20, truePeak: -3) == 2)
    #expect(gain(LoudnessTarget(-14, highestTruePeak: -2), integrated: -20, truePeak: -3) == 1)
    #expect(gain(LoudnessTarget(-14), integrated: -14, truePeak: 0) == -1)
  }

  @Test("What has no loudness keeps its level, below the highest peak")
  func silence() {
    #expect(gain(LoudnessTarget(-23), integrated: -.infinity, truePeak: -.infinity) == 0)
    #expect(gain(LoudnessTarget(-23), integrated: -.infinity, truePeak: 1) == -2)
  }

  @Test("A gain changes loudness and peak, not the range; units print themselves")
  func units() {
    let loudness = Loudness(integrated: -20, range: 6, truePeak: -3).applying(-3)
    #expect(loudness == Loudness(integrated: -23, range: 6, truePeak: -6))
    #expect("\(loudness.integrated), \(loudness.range), \(loudness.truePeak)" == "−23.0 LUFS, 6.0 LU, −6.0 dBTP")
    #expect(LUFS(-20) - LUFS(-23) == 3)
  }
}
