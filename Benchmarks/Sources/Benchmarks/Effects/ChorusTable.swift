import AudioGraph
import CSynthFluidSynth
import Glibc
import SynthDSP

/// The figures of FluidSynth's chorus and of ours, side by side.
struct ChorusTable {
  private static let widths = [29, 12, 11, 12, 8]

  static func measure() throws {
    let types = [ChorusType.chorus3, .chorus1, .flanger].map { type in
      NodeUnderTest(name: type.name) { ChorusNode(type: type) }
    }
    let subjects: [any EffectUnderTest] = [FluidSynthUnderTest(effect: .chorus)] + types
    let sounds = try subjects.map { try ChorusSound($0) }
    print(row([""] + subjects.map(\.name), widths: widths))
    func line(_ name: String, _ decimals: Int, _ figure: (ChorusSound) -> Double) {
      print(row([name] + sounds.map { fixed(figure($0), decimals) }, widths: widths))
    }
    line("left to right: correlation", 2) { $0.correlation }
    line("white noise comes back at dB", 1) { $0.loudness }
    line("1 kHz: all beyond 0.1 kHz, dB", 1) { $0.artefacts }
    let costs = try EffectCosts.measure(subjects)
    print(row(["ns a quantum"] + costs.map { fixed($0, 0) }, widths: widths))
  }
}

/// What a chorus makes of noise and of a sine.
struct ChorusSound {
  private let noise: [[Float]]
  private let sine: [Float]

  private static let count = 1 << 17

  init(_ effect: any EffectUnderTest) throws {
    noise = try effect.response(to: (0..<Self.count).map { _ in .random(in: -0.5...0.5) })
    let angle = 2 * Double.pi * 1000 / Work.sampleRate
    sine = try effect.response(to: (0..<Self.count).map { Float(0.5 * sin(angle * Double($0))) })[0]
  }

  var correlation: Double { Benchmarks.correlation(noise[0], noise[1]) }

  /// In decibels.
  var loudness: Double {
    10 * log10(noise[0].reduce(0) { $0 + Double($1) * Double($1) } / (Double(Self.count) / 12))
  }

  /// What is neither the sine nor near it: steps of the delays, and their interpolation.
  var artefacts: Double {
    // Whole, without the beginning, under Hann's window.
    let count = Self.count / 2
    let windowed = (0..<count).map { frame in
      sine[frame + count / 2] * Float(0.5 - 0.5 * cos(2 * Double.pi * Double(frame) / Double(count)))
    }
    let power = Spectrum(windowed, count: count, sampleRate: Work.sampleRate).power
    let bin = Work.sampleRate / Double(count)
    let near = power[Int(900 / bin)...Int(1100 / bin)].reduce(0, +)
    return 10 * log10((power.reduce(0, +) - near) / near)
  }
}

/// What effects cost.
enum EffectCosts {
  private static let rounds = 31
  private static let quanta = 400

  /// Nanoseconds of processor time a quantum, of each in turn: medians of the differences to the same without the
  /// effect.
  static func measure(_ effects: [any EffectUnderTest]) throws -> [Double] {
    let works = try effects.map { try $0.work() }
    for (with, without) in works { for work in [with, without] { work.run(quanta) } }
    let rounds = (0..<rounds).map { _ in works.map { $0.with.time(quanta) - $0.without.time(quanta) } }
    return works.indices.map { index in Distribution(rounds.map { $0[index] }).median }
  }
}
