import Glibc
import SynthInstruments
import TestSupport
import Testing

/// What the native engine renders, measured, against the formulas of the standard as FluidSynth reads them.
///
/// Most fonts have a wave of constant words: what is heard then is the amplitude itself.
@Suite("Formulas of the native SoundFont engine")
struct FormulaTests {
  private typealias Generator = SoundFontBytes.Generator

  private static let constant = SoundFontBytes.Sample([Int16](repeating: 16_384, count: 4800))

  /// Left and right of notes.
  private func render(
    _ generators: [(Generator, Int)], of sample: SoundFontBytes.Sample = constant,
    _ write: (inout NullScore) -> Void
  ) throws -> (left: [Float], right: [Float]) {
    let font = SoundFontBytes(sample, [.of(generators)])
    let samples = try NullRendering.render(NullCase("formula", font, write)) { $0.engine = .native }
    let count = samples.count / 2
    return (Array(samples[..<count]), Array(samples[count...]))
  }

  /// Time cents of a number of quanta, about which the standard and FluidSynth agree: a delay ends with the quantum
  /// before, and an attack or a release with the one behind.
  private static func timeCents(quanta: Double) -> Int { Int((1200 * log2(quanta * 64 / 48_000)).rounded()) }

  private static func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

  @Test("the volume envelope's sections begin within a millisecond of their time, and are within 0.1 dB of their lines")
  func volumeEnvelope() throws {
    let (delay, attack, hold, decay, release) = (75, 120, 90, 750, 600)
    let samples = try render([
      (.delayVolEnv, Self.timeCents(quanta: Double(delay) + 0.2)),
      (.attackVolEnv, Self.timeCents(quanta: Double(attack) - 0.2)),
      (.holdVolEnv, Self.timeCents(quanta: Double(hold))), (.decayVolEnv, Self.timeCents(quanta: Double(decay))),
      (.sustainVolEnv, 300), (.releaseVolEnv, Self.timeCents(quanta: Double(release) - 0.4)),
    ]) { score in
      score.begin()
      score.wait(900)
      score.end()
      score.wait(700)
    }.left
    let peak = Double(samples.max()!)
    /// At the end of a quantum, where the amplitude is that of the envelope.
    func level(_ quantum: Int) -> Double { Self.decibels(Double(samples[64 * quantum - 1]) / peak) }
    /// Frames from a quantum to where a level is reached, in milliseconds.
    func distance(_ frame: Int?, from quantum: Int) -> Double {
      abs(Double((frame ?? -48_000) - 64 * quantum)) / 48
    }
    #expect(distance(samples.firstIndex { $0 > 0 }, from: delay) < 1)
    let top = delay + attack
    #expect(distance(samples.firstIndex { Double($0) > 0.9999 * peak }, from: top) < 1)
    for quantum in stride(from: 10, through: attack, by: 10) {
      let line = Self.decibels(Double(quantum) / Double(attack))
      #expect(abs(level(delay + quantum) - line) < 0.1, "attack, quantum \(quantum): \(level(delay + quantum)) dB")
    }
    let fall = top + hold
    #expect(distance(samples.lastIndex { Double($0) > 0.9999 * peak }, from: fall) < 1)
    for quantum in stride(from: 15, through: 225, by: 15) {
      let line = -96 * Double(quantum) / Double(decay)
      // Whole centibels, and whole time cents.
      #expect(abs(level(fall + quantum) - line) < 0.11, "decay, quantum \(quantum): \(level(fall + quantum)) dB")
    }
    #expect(abs(level(890) + 28.8) < 0.101, "sustain: \(level(890)) dB")
    for quantum in stride(from: 30, through: 300, by: 30) {
      let line = -28.8 - 96 * Double(quantum) / Double(release)
      #expect(abs(level(900 + quantum) - line) < 0.201, "release, quantum \(quantum): \(level(900 + quantum)) dB")
    }
  }

  @Test("vibrato has its depth in cents and its rate", arguments: [(40, -851), (150, 0)])
  func vibrato(depth: Int, frequency cents: Int) throws {
    let samples = try render(
      [(.vibLfoToPitch, depth), (.freqVibLFO, cents)], of: .sine(period: 50, count: 48_000)
    ) { $0.play(for: 1500) }.left
    let track = pitchTrack(Array(samples[..<90_000]))
    let pitches = track.map { 100 * ($0.pitch - 69) - 1200 * log2(960 / 440) }
    #expect(abs(pitches.max()! - Double(depth)) < 2, "up to \(pitches.max()!) cents")
    #expect(abs(pitches.min()! + Double(depth)) < 2, "down to \(pitches.min()!) cents")
    // Its turns through the middle.
    let rises = track.indices.dropFirst().filter { pitches[$0 - 1] < 0 && pitches[$0] >= 0 }.map { track[$0].time }
    let rate = Double(rises.count - 1) / (rises.last! - rises.first!)
    let expected = 8.176 * exp2(Double(cents) / 1200)
    #expect(abs(rate / expected - 1) < 0.01, "\(rate) Hz, expected \(expected)")
  }

  @Test("tremolo has its depth in centibels")
  func tremolo() throws {
    let samples = try render([(.modLfoToVolume, 60), (.freqModLFO, -851), (.sustainVolEnv, 200)]) {
      $0.play(for: 1500)
    }.left
    let steady = samples[24_000..<90_000]
    let depth = Self.decibels(Double(steady.max()!) / Double(steady.min()!))
    #expect(abs(depth - 12) < 0.3, "\(depth) dB")
  }

  @Test(
    "the low-pass has two poles at its frequency, with its resonance, within 0.1 dB",
    arguments: [(6000, 0), (8000, 120), (9500, 300), (4500, 60)])
  func filter(cutoff: Int, resonance: Int) throws {
    // Behind the first quantum, in which the amplitude rises.
    var words = [Int16](repeating: 0, count: 24_000)
    words[640] = 32_767
    var impulse = SoundFontBytes.Sample(words)
    impulse.rate = 48_000
    let samples = try render(
      [(.initialFilterFc, cutoff), (.initialFilterQ, resonance), (.sampleModes, 0)], of: impulse
    ) { $0.play(for: 350) }.left
    let response = Response(samples)
    let frequency = 440 * exp2((Double(cutoff) - 6900) / 1200)
    let quality = pow(10, (Double(resonance) / 10 - 3.01) / 20)
    let reference = Response.lowPass(frequency, quality, at: 20)
    for ratio in [0.25, 0.5, 0.8, 1, 1.25, 2, 4] where ratio * frequency < 16_000 {
      let expected = Self.decibels(Response.lowPass(frequency, quality, at: ratio * frequency) / reference)
      let measured = Self.decibels(response.magnitude(at: ratio * frequency) / response.magnitude(at: 20))
      #expect(abs(measured - expected) < 0.1, "\(ratio * frequency) Hz: \(measured) dB, expected \(expected)")
    }
  }

  @Test("keys and tunings are within a twentieth of a cent", arguments: [(48, 0), (60, 37), (66, 0), (84, -50)])
  func tuning(key: UInt8, fine: Int) throws {
    let samples = try render([(.fineTune, fine)], of: .sine(period: 200, count: 48_000)) {
      $0.play(key, for: 850)
    }.left
    let expected = 240 * exp2((Double(key) - 60) / 12 + Double(fine) / 1200)
    let error = cents(of: Array(samples[1000...]), from: expected)
    #expect(abs(error) < 0.05, "\(error) cents")
  }

  @Test("pan has constant power: a quarter of a sine's turn from left to right", arguments: [-500, -333, 0, 100, 500])
  func pan(_ position: Int) throws {
    let (left, right) = try render([(.pan, position)]) { $0.play() }
    let levels = (Double(left[12_000]), Double(right[12_000]))
    let turn = Double(position + 500) / 1000 * .pi / 2
    let sum = (levels.0 * levels.0 + levels.1 * levels.1).squareRoot()
    #expect(abs(levels.0 / sum - cos(turn)) < 0.002 && abs(levels.1 / sum - sin(turn)) < 0.002)
  }
}

/// A response in frequency, of an impulse that was played.
private struct Response {
  private let samples: [Float]

  init(_ samples: [Float]) { self.samples = samples }

  func magnitude(at frequency: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() where sample != 0 {
      let angle = 2 * Double.pi * frequency * Double(index) / 48_000
      real += Double(sample) * cos(angle)
      imaginary -= Double(sample) * sin(angle)
    }
    return (real * real + imaginary * imaginary).squareRoot()
  }

  /// Of a low-pass made from two poles by the bilinear transform. Source: Bristow-Johnson, "Cookbook formulae for audio
  /// EQ biquad filter coefficients".
  static func lowPass(_ cutoff: Double, _ quality: Double, at frequency: Double) -> Double {
    let (omega, turn) = (2 * Double.pi * cutoff / 48_000, 2 * Double.pi * frequency / 48_000)
    let alpha = sin(omega) / (2 * quality)
    func magnitude(_ a: Double, _ b: Double, _ c: Double) -> Double {
      let real = a + b * cos(turn) + c * cos(2 * turn)
      let imaginary = b * sin(turn) + c * sin(2 * turn)
      return (real * real + imaginary * imaginary).squareRoot()
    }
    let side = (1 - cos(omega)) / 2
    return magnitude(side, 2 * side, side) / magnitude(1 + alpha, -2 * cos(omega), 1 - alpha)
  }
}
