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

  @Test("a sine at the ceiling stays there, and one 0.05 dB below it is not touched", arguments: [997.0, 60, 12_345])
  func margin(frequency: Double) {
    let signal = sine(frequency, sampleRate: 48000, count: 64 * 200).enumerated().map { frame, sample in
      sample * Float(Decibels(-1).amplitude) * min(1, Float(frame) / 1024)
    }
    let limited = Array(limit(signal).left.suffix(4096))
    #expect(abs(truePeak(limited).value + 1) < 0.05, "\(truePeak(limited))")
    let below = signal.map { $0 * Float(Decibels(-0.05).amplitude) }
    let isUntouched = Array(limit(below).left[latency...]) == Array(below.dropLast(latency))
    #expect(isUntouched)
  }

  @Test("no true peak is above the ceiling, read between samples by Fourier's series", arguments: Loud.allCases)
  func ceiling(_ kind: Loud) {
    let output = limit(kind.signal)
    let highest = max(truePeak(output.left), truePeak(output.right))
    #expect(highest <= -1 + kind.excess, "\(kind): \(highest)")
    #expect(highest >= -1 - kind.loss, "\(kind): \(highest)")
    #expect(output.limitedFrames > 0)
  }

  @Test(
    "white noise, 13 dB too loud and with power up to Nyquist, is at most 1 dB above the ceiling",
    arguments: [0, 1, 2] as [UInt64])
  func noise(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let highest = truePeak(limit((0..<Loud.count).map { _ in Float(random.uniform() * 2) }).left)
    #expect(highest <= 0, "\(highest)")
  }

  @Test(
    "what is passed by without a closer look, because samples and second differences are small, has no higher peak",
    arguments: Loud.allCases)
  func bounds(_ kind: Loud) {
    let detector = TruePeakDetector()
    let signal = kind.signal
    let start = 1024 - TruePeakDetector.lookBehind
    signal.withUnsafeBufferPointer { signal in
      guard let frames = signal.baseAddress.map({ $0 + start + TruePeakDetector.lookBehind }) else { return }
      let all = [Float](unsafeUninitializedCapacity: 64) { peaks, count in
        peaks.initialize(repeating: 0)
        count = 64
        // Below 0 everything is looked at.
        peaks.baseAddress.map { detector.raise($0, to: frames, above: -1) }
      }
      for level in stride(from: Float(0.1), to: 4, by: 0.1) {
        var found = [Float](repeating: 0, count: 64)
        detector.raise(&found, to: frames, above: level)
        for frame in 0..<64 where all[frame] > level { #expect(found[frame] == all[frame], "\(level)") }
      }
    }
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
  case pink, impulses, quarterRate, high, highest, threeHigh, highBand, steps, differentSides

  static let count = 8192

  /// By how much its peaks may be above the ceiling. Pink noise, here 10 dB too loud, has power up to Nyquist.
  var excess: Decibels { [.pink, .differentSides].contains(self) ? 0.2 : 0.05 }

  /// By how much less than the ceiling the highest peak may be in a short signal, whose peaks are few.
  var loss: Decibels { [.impulses, .steps].contains(self) ? 0.3 : 0.1 }

  var signal: [Float] {
    let count = Self.count
    var random = SplitMix64(seed: 7)
    switch self {
    case .highest: return Self.tones([0.4877])
    // They add up and cancel each other out within some dozens of samples.
    case .threeHigh: return Self.tones([0.4632, 0.4711, 0.4889])
    case .highBand: return Self.tones((0..<80).map { 0.45 + 0.0005 * Double($0) })
    case .pink, .differentSides: return pinkNoise(seed: 5, count: count).map { $0 * 6 }
    case .impulses:
      return (0..<count).map { _ in random.uniform() > 0.998 ? Float(random.uniform() * 20) : 0 }
    case .quarterRate: return (0..<count).map { 3 * Float(sin(.pi / 2 * Double($0) + .pi / 4)) }
    case .high: return sine(19_997, sampleRate: 48000, count: count).map { $0 * 2 }
    case .steps: return (0..<count).map { ($0 / 500).isMultiple(of: 2) ? 3 : -0.1 }
    }
  }

  /// Sines at parts of the sample rate, of any phase, faded in and out so that nothing is beyond them.
  private static func tones(_ frequencies: [Double]) -> [Float] {
    let level = 1.5 / Double(frequencies.count).squareRoot()
    return (0..<count).map { frame in
      let fade = min(1, Double(min(frame, count - frame)) / 1024)
      let sum = frequencies.enumerated().reduce(0) { sum, tone in
        sum + sin(2 * .pi * tone.element * Double(frame) + Double(tone.offset * tone.offset))
      }
      return Float(level * sum * fade * fade * (3 - 2 * fade))
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

/// The true peak at sixteen points a sample, by the sum of the sines that a discrete Fourier transform finds: the ideal
/// interpolation of a signal that is taken to repeat. The ends are left out, where it jumps.
private func truePeak(_ signal: [Float]) -> Decibels {
  let count = signal.count
  let spectrum = fourier(signal.map { SIMD2(Double($0), 0) }, sign: -1)
  var wide = [SIMD2<Double>](repeating: .zero, count: 16 * count)
  wide[0] = spectrum[0] / 2
  for index in 1..<count / 2 { wide[index] = spectrum[index] }
  // Twice the real part of half of the spectrum is the whole.
  let points = fourier(wide, sign: 1).dropFirst(16 * 512).dropLast(16 * 512)
  return Decibels(amplitude: points.reduce(0) { max($0, abs($1.x)) } * 2 / Double(count))
}

/// The sums of a signal turned by each frequency; its length is a power of two (Cooley and Tukey 1965).
private func fourier(_ values: [SIMD2<Double>], sign: Double) -> [SIMD2<Double>] {
  let count = values.count
  var (present, other) = (values, values)
  var (size, distance) = (count / 2, 1)
  while size > 0 {
    for turn in 0..<size {
      let angle = sign * .pi * Double(turn) / Double(size)
      let (x, y) = (cos(angle), sin(angle))
      for place in 0..<distance {
        let (a, b) = (present[place + distance * turn], present[place + distance * (turn + size)])
        let difference = a - b
        other[place + distance * 2 * turn] = a + b
        other[place + distance * (2 * turn + 1)] = SIMD2(
          difference.x * x - difference.y * y, difference.x * y + difference.y * x)
      }
    }
    (present, other) = (other, present)
    (size, distance) = (size / 2, distance * 2)
  }
  return present
}
