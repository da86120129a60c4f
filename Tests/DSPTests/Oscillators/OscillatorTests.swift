@preconcurrency import Glibc
import SynthDSP
import TestSupport
import Testing

private let tonal: [Waveform] = [.sine, .sawtooth, .square, .triangle]

/// How many harmonics the tables promise: all that fit below half the rate, of 16 and more in steps of an eighth of
/// the octave.
private func promisedHarmonics(_ waveform: Waveform, frequency: Double, sampleRate: Double) -> Int {
  guard waveform != .sine else { return 1 }
  let count = min(Int(sampleRate / 2 / frequency + 1e-9), 3840)
  let step = count < 16 ? 1 : 1 << (Int(log2(Double(count)) + 1e-9) - 3)
  return count / step * step
}

@Suite("Oscillators")
struct OscillatorTests {
  @Test("At 8 kHz every harmonic below 4 kHz sounds", arguments: [(300.0, 13), (520, 7), (251, 15)])
  func lowRate(frequency: Double, harmonics: Int) throws {
    let tables = try #require(WaveTables(of: .sawtooth))
    let series = FourierSeries(.sawtooth, harmonicCount: harmonics)
    let increment = frequency / 8000
    let level = tables.level(forIncrement: UInt64(increment * 0x1p64))
    var error = 0.0
    for index in 0..<997 {
      let phase = UInt64(index) * (UInt64.max / 997)
      let difference = Double(tables[level].sample(at: phase)) - series.sample(at: periods(phase))
      error += difference * difference
    }
    #expect(errorLevel(error, count: 997, fundamental: series.fundamental) < -90)
  }

  @Test(
    "Harmonics reach up to 0.444 of the sample rate and never beyond half of it", arguments: [44100.0, 48000, 96000])
  func reach(sampleRate: Double) {
    for note in 0...127 {
      let frequency = frequency(ofNote: note)
      let harmonics = Double(promisedHarmonics(.sawtooth, frequency: frequency, sampleRate: sampleRate))
      #expect(harmonics * frequency <= sampleRate / 2, "note \(note)")
      #expect((harmonics + 1) * frequency > min(0.444 * sampleRate, 31_000), "note \(note)")
    }
  }

  @Test("Every note is its Fourier series, all errors together 90 dB below the fundamental", arguments: tonal)
  func everyNote(waveform: Waveform) throws {
    let tables = try #require(WaveTables(of: waveform))
    var random = SplitMix64(seed: 1)
    let (blockCount, blockSize) = (16, 32)
    var worst = (level: -Double.infinity, note: 0)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: blockSize) { samples in
      for note in 0...127 {
        let frequency = frequency(ofNote: note)
        let series = FourierSeries(
          waveform, harmonicCount: promisedHarmonics(waveform, frequency: frequency, sampleRate: 48000))
        var oscillator = Oscillator(tables)
        var error = 0.0
        for block in 0..<blockCount {
          // One block in each part of the period, at a phase by chance.
          let part = UInt64.max / UInt64(blockCount)
          let phase = part * UInt64(block) + .random(in: 0..<part, using: &random)
          var ramp = PhaseRamp(phase: phase, from: frequency / 48000, to: frequency / 48000, frameCount: blockSize)
          guard let base = samples.baseAddress else { return }
          oscillator.render(into: base, along: ramp, count: blockSize)
          for frame in 0..<blockSize {
            let difference = Double(samples[frame]) - series.sample(at: periods(ramp.next()))
            error += difference * difference
          }
        }
        let level = errorLevel(error, count: blockCount * blockSize, fundamental: series.fundamental)
        if level > worst.level { worst = (level, note) }
      }
    }
    print("\(waveform): worst note \(worst.note), all errors at \(Decibels(worst.level)) of the fundamental")
    #expect(worst.level < -90)
  }

  @Test("Every table is its Fourier series over the whole period, its corners included", arguments: tonal)
  func everyTable(waveform: Waveform) throws {
    let tables = try #require(WaveTables(of: waveform))
    var random = SplitMix64(seed: 2)
    let count = 1024
    var worst = (level: -Double.infinity, harmonics: 0)
    for level in waveform == .sine ? 0..<1 : 0..<79 {
      let harmonics = level < 15 ? level + 1 : (8 + (level - 15) % 8) << (1 + (level - 15) / 8)
      let series = FourierSeries(waveform, harmonicCount: harmonics)
      let part = UInt64.max / UInt64(count)
      var error = 0.0
      for index in 0..<count {
        let phase = part * UInt64(index) + .random(in: 0..<part, using: &random)
        let difference = Double(tables[level].sample(at: phase)) - series.sample(at: periods(phase))
        error += difference * difference
      }
      let figure = errorLevel(error, count: count, fundamental: series.fundamental)
      if figure > worst.level { worst = (figure, harmonics) }
    }
    print("\(waveform): worst table of \(worst.harmonics) harmonics, all errors at \(Decibels(worst.level))")
    #expect(worst.level < -90)
  }

  @Test("A ramp of pitch ends at the phase its frames lead to, and at its last frame's speed")
  func phaseRamp() {
    var ramp = PhaseRamp(phase: 5, from: 0, to: 0.25, frameCount: 64)
    let announced = ramp.phase(after: 64)
    #expect(ramp.highestIncrement(frameCount: 64) == 1 << 62)
    for _ in 0..<64 { _ = ramp.next() }
    #expect(ramp.phase == announced)
    #expect(ramp.increment == 1 << 62)
  }

  @Test(
    "A pitch beyond half the rate, below zero or none at all does no harm", arguments: [-1, 0, 0.5, 3, .nan, .infinity])
  func strangePitch(frequency: Double) {
    var oscillator = Oscillator(WaveTables(of: .sawtooth))
    let ramp = PhaseRamp(from: frequency, to: frequency, frameCount: 64)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 64) { samples in
      guard let base = samples.baseAddress else { return }
      oscillator.render(into: base, along: ramp, count: 64)
      for sample in samples { #expect(abs(sample) <= 1.2) }
    }
  }

  @Test("Noise is even over ±1, without a direct part, and no sample tells of the next")
  func noise() {
    var noise = WhiteNoise(seed: 3)
    let count = 1 << 16
    let samples = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let base = buffer.baseAddress { noise.render(into: base, count: count) }
      initialized = count
    }.map(Double.init)
    let mean = samples.reduce(0, +) / Double(count)
    let square = samples.reduce(0) { $0 + $1 * $1 } / Double(count)
    let neighbours = zip(samples, samples.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / Double(count)
    // Four standard deviations of each: σ = 1/√3, and 2⁸ is the root of the count.
    #expect(abs(mean) < 4 * 0.578 / 256)
    #expect(abs(square - 1.0 / 3) < 4 * 0.299 / 256)
    #expect(abs(neighbours) < 4 * 0.334 / 256)
    #expect((samples.max() ?? 2) < 1 && (samples.min() ?? -2) >= -1)
  }
}
