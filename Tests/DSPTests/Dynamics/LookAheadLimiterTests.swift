@preconcurrency import Glibc
import TestSupport
import Testing

@testable import SynthDSP

@Suite("Limiter") struct LookAheadLimiterTests {
  private let latency = LookAheadLimiter.latency

  @Test("what stays below the ceiling comes out bit for bit, 64 frames later")
  func transparent() {
    let signal = pinkNoise(seed: 1, count: 64 * 100).map { $0 * 0.5 }
    let output = limit(signal)
    #expect(output.left[..<latency].allSatisfy { $0 == 0 })
    #expect(Array(output.left[latency...]) == Array(signal.dropLast(latency)))
    #expect(output.limitedFrames == 0)
  }

  @Test("no true peak is above the ceiling, read at sixteen points a sample", arguments: Loud.allCases)
  func ceiling(_ kind: Loud) {
    let output = limit(kind.signal)
    let ceiling = LookAheadLimiter.standardCeiling
    let highest = max(truePeak(output.left), truePeak(output.right))
    #expect(highest <= ceiling, "\(kind): \(highest)")
    #expect(output.limitedFrames > 0)
  }

  @Test(
    "a sine at a quarter of the sample rate whose peaks all lie between its samples is brought to the ceiling, no lower"
  )
  func betweenSamples() {
    let signal = (0..<64 * 120).map { Float(sin(.pi / 2 * Double($0) + .pi / 4)) }
    #expect(signal.allSatisfy { abs($0) < 0.708 })
    let settled = Array(limit(signal).left.suffix(4000))
    let highest = truePeak(settled)
    #expect(highest > LookAheadLimiter.standardCeiling - LookAheadLimiter.margin - 0.05 && highest <= -1, "\(highest)")
  }

  @Test("both channels are turned down by the same gain, so that nothing moves to a side")
  func linked() {
    let left = sine(440, sampleRate: 48000, count: 6400).map { $0 * 2 }
    let output = limit(left, right: left.map { $0 / 4 })
    #expect(output.right == output.left.map { $0 / 4 })
    #expect(output.right.contains { abs($0) > 0.2 } && !output.right.contains { abs($0) > 0.25 })
  }

  @Test("after a peak the gain comes back to exactly 1")
  func recovery() {
    var signal = pinkNoise(seed: 3, count: 64 * 750 * 10).map { $0 * 0.25 }
    for frame in 1000..<1010 { signal[frame] = 4 }
    let output = limit(signal).left
    #expect(output[1100] != signal[1100 - latency])
    let rest = signal.count - 64 * 750
    #expect(Array(output[rest...]) == Array(signal[rest - latency..<signal.count - latency]))
  }

  @Test(
    "the gain follows neither the swings of a bass note nor a beat: it varies by less than 1 dB",
    arguments: [40.0, 110])
  func steady(frequency: Double) {
    let signal = sine(frequency, sampleRate: 48000, count: 64 * 900).map { $0 * 2 }
    let output = limit(signal).left
    var (lowest, highest) = (Float.infinity, Float(0))
    for frame in 48000..<output.count where abs(signal[frame - latency]) > 0.5 {
      let gain = output[frame] / signal[frame - latency]
      (lowest, highest) = (min(lowest, gain), max(highest, gain))
    }
    #expect(Decibels(amplitude: Double(highest / lowest)) < 1, "\(lowest)…\(highest)")
  }

  @Test("what is no number becomes silence and spoils nothing else", arguments: [Float.nan, .infinity, -.infinity])
  func healing(bad: Float) {
    var signal = [Float](repeating: 0.25, count: 640)
    signal[100] = bad
    let output = limit(signal).left
    #expect(output[100 + latency] == 0)
    #expect(output.dropFirst(101 + latency).allSatisfy { $0 == 0.25 })
  }

  @Test("silence comes out as silence, and says so once the last block has left")
  func silence() {
    var limiter = LookAheadLimiter(sampleRate: 48000)
    var block = [Float](repeating: 0.5, count: 64)
    #expect(pass(&block, &limiter) == true)
    block = [Float](repeating: 0, count: 64)
    #expect(pass(&block, &limiter) == false)
    #expect(block.allSatisfy { $0 == 0.5 })
    block = [Float](repeating: 0, count: 64)
    #expect(pass(&block, &limiter) == true)
    #expect(block.allSatisfy { $0 == 0 })
  }

  @Test("what was taken away is told: 6 dB and every frame, for a constant 6 dB above the threshold")
  func meter() {
    var limiter = LookAheadLimiter(sampleRate: 48000)
    let loud = 2 * Float((LookAheadLimiter.standardCeiling - LookAheadLimiter.margin).amplitude)
    for _ in 0..<20 {
      var block = [Float](repeating: loud, count: 64)
      _ = pass(&block, &limiter)
    }
    #expect(abs(limiter.lowestGain - 0.5) < 0.0001)
    #expect(limiter.limitedFrames == 64)
  }
}

/// Signals far beyond full scale.
enum Loud: CaseIterable {
  case noise, pink, impulses, quarterRate, high, steps, differentSides

  var signal: [Float] {
    let count = 64 * 120
    var random = SplitMix64(seed: 7)
    switch self {
    case .noise: return (0..<count).map { _ in Float(random.uniform() * 2) }
    case .pink, .differentSides: return pinkNoise(seed: 5, count: count).map { $0 * 6 }
    case .impulses:
      return (0..<count).map { _ in random.uniform() > 0.998 ? Float(random.uniform() * 20) : 0 }
    case .quarterRate: return (0..<count).map { 3 * Float(sin(.pi / 2 * Double($0) + .pi / 4)) }
    case .high: return sine(19_997, sampleRate: 48000, count: count).map { $0 * 2 }
    case .steps: return (0..<count).map { ($0 / 500).isMultiple(of: 2) ? 3 : -0.1 }
    }
  }
}

private func pass(_ block: inout [Float], _ limiter: inout LookAheadLimiter) -> Bool {
  block.withUnsafeMutableBufferPointer { block in
    guard let base = block.baseAddress else { return false }
    return limiter.process(left: base, right: base, leftOutput: base, rightOutput: base)
  }
}

private func limit(
  _ left: [Float], right: [Float]? = nil
) -> (left: [Float], right: [Float], limitedFrames: Int) {
  var (outputs, limitedFrames) = ((left, right ?? left), 0)
  var limiter = LookAheadLimiter(sampleRate: 48000)
  outputs.0.withUnsafeMutableBufferPointer { l in
    outputs.1.withUnsafeMutableBufferPointer { r in
      guard let l = l.baseAddress, let r = r.baseAddress else { return }
      for start in stride(from: 0, to: left.count, by: 64) {
        _ = limiter.process(left: l + start, right: r + start, leftOutput: l + start, rightOutput: r + start)
        limitedFrames += limiter.limitedFrames
      }
    }
  }
  return (outputs.0, outputs.1, limitedFrames)
}

/// The true peak at sixteen points a sample, by a sinc of 96 samples under a Hann window: another filter than the
/// limiter's own.
private func truePeak(_ signal: [Float]) -> Decibels {
  let half = 48
  let phases = (1..<16).map { phase in
    (0..<2 * half).map { tap -> Float in
      let distance = Double(tap - half + 1) - Double(phase) / 16
      let window = 0.5 + 0.5 * cos(.pi * distance / Double(half))
      return Float(window * sin(.pi * distance) / (.pi * distance))
    }
  }
  var highest = signal.map(abs).max() ?? 0
  signal.withUnsafeBufferPointer { signal in
    for start in 0..<max(0, signal.count - 2 * half) {
      // Far from the ceiling there is no peak to be found.
      guard abs(signal[start + half - 1]) > 0.3 || abs(signal[start + half]) > 0.3 else { continue }
      for taps in phases {
        var sum: Float = 0
        taps.withUnsafeBufferPointer { taps in
          for tap in 0..<2 * half { sum += taps[tap] * signal[start + tap] }
        }
        highest = max(highest, abs(sum))
      }
    }
  }
  return Decibels(amplitude: Double(highest))
}
