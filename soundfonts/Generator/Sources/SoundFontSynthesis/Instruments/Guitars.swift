// Programs 24–31: guitars.
import Glibc

enum Guitars {
  static let nylon = SampleSet(
    "Nylon guitar", [48, 63].map { pluck($0, bright: 2_400, position: 0.22, body: true) })
  static let steel = SampleSet(
    "Steel guitar", [48, 63].map { pluck($0, bright: 9_000, position: 0.16, body: true, slope: 0.85) })
  static let electric = SampleSet("Electric guitar", [48, 66].map { electricString($0) })
  static let muted = SampleSet("Muted guitar", [52].map { mutedString($0) })
  static let distortion = SampleSet("Distorted guitar", [45, 62].map { amplified($0, drive: 14, cabinet: 5_500) })

  static let presets = [
    Preset(24, "Nylon Guitar", [Layer(nylon, acoustic(11, dynamics: 2_400))]),
    Preset(25, "Steel Guitar", [Layer(steel, acoustic(15, dynamics: 3_000))]),
    Preset(
      26, "Jazz Guitar",
      [Layer(electric, Articulation(decay: 14, release: 0.12, decayTracking: 0.4, cutoff: 1_900, dynamics: 1_500))]),
    Preset(
      27, "Clean Guitar",
      Layer(
        electric,
        Articulation(
          decay: 17, release: 0.15, decayTracking: 0.4, cutoff: 2_200, filterSweep: .init(cents: 2_600, decay: 3),
          dynamics: 2_400, chorus: 25)
      )
      .doubled(cents: 5, pan: 10)),
    Preset(
      28, "Muted Guitar",
      [Layer(muted, Articulation(decay: 2.2, release: 0.05, decayTracking: 0.3, cutoff: 7_000, dynamics: 2_400))]),
    Preset(29, "Overdrive Guitar", [Layer(distortion, smooth)]),
    Preset(30, "Distortion Guitar", [Layer(distortion, driven)]),
    Preset(31, "Guitar Harmonics", [Layer(Mallets.celesta, Articulation(decay: 11, release: 0.3, decayTracking: 0.4))]),
  ]

  private static let driven = Articulation(
    decay: 34, release: 0.1, vibrato: .init(cents: 8, rate: 5.2, delay: 0.6))

  private static let smooth = Articulation(
    decay: 30, release: 0.1, cutoff: 3_800, filterSweep: .init(cents: 900, decay: 0.6), dynamics: 2_400,
    vibrato: .init(cents: 8, rate: 5.2, delay: 0.6))

  private static func acoustic(_ decay: Double, dynamics: Double) -> Articulation {
    Articulation(
      decay: decay, release: 0.18, decayTracking: 0.5, cutoff: 600, filterSweep: .init(cents: 4_800, decay: 2.6),
      dynamics: dynamics)
  }

  /// A string plucked at a share of its length, over a wooden box.
  static func pluck(
    _ key: Int, bright: Double, position: Double, body: Bool, lead: Double = 0.17, stiffness: Double = 0.00003,
    damping: Double = 1, slope: Double = 1
  ) -> Wave {
    let partials = harmonics(key, limit: 9_500, stiffness: stiffness) { n, f in
      let pluck = (abs(sin(.pi * Double(n) * position)) + 0.06) / pow(Double(n), slope)
      let box = body ? 0.55 + formants(f, [(105, 35, 0), (205, 60, 1), (420, 120, -5), (2_700, 900, -4)]) : 1
      return Partial(
        ratio: 1, level: pluck * box * exp(-f / bright * 0.55) / (1 + pow(70 / f, 2)),
        decay: damping * (1.0 + pow(f / 900, 1.1)), tail: n < 4 ? 0.3 : 0.1, onset: 0.0012, phase: Double(n * n) * 0.17)
    }
    let wave = Tone(key: key, lead: lead, loop: 0.03, partials: partials).rendered()
    let rate = Double(wave.rate)
    return wave.struck(0.14, decay: 0.008, seed: key, .bandPass(bright * 0.7, q: 0.5, rate: rate))
      .struck(body ? 0.12 : 0.02, decay: 0.03, seed: key + 1, .bandPass(190, q: 2, rate: rate))
  }

  /// A solid-body string over a magnetic pick-up.
  private static func electricString(_ key: Int) -> Wave {
    let partials = harmonics(key, limit: 8_000, stiffness: 0.00005) { n, f in
      let pluck = (abs(sin(.pi * Double(n) * 0.17)) + 0.05) / Double(n)
      let pickup = abs(sin(.pi * Double(n) * 0.24)) + 0.2
      let coil = 1 / (1 + pow(f / 3_600, 4)).squareRoot()
      return Partial(
        ratio: 1, level: pluck * pickup * coil * Double(n).squareRoot(), decay: 0.7 + f / 1_300, tail: 0.22,
        onset: 0.0012, phase: Double(n) * 0.19)
    }
    let wave = Tone(key: key, lead: 0.16, loop: 0.025, partials: partials).rendered()
    return wave.struck(0.12, decay: 0.005, seed: 27, .bandPass(2_500, q: 0.6, rate: Double(wave.rate)))
  }

  private static func mutedString(_ key: Int) -> Wave {
    let partials = harmonics(key, limit: 8_000) { n, f in
      let pluck = (abs(sin(.pi * Double(n) * 0.12)) + 0.04) / pow(Double(n), 0.9)
      return Partial(
        ratio: 1, level: pluck * exp(-f / 3_500), decay: 6 + f / 130, tail: n == 1 ? 0.3 : 0.04, onset: 0.001,
        phase: Double(n) * 0.19)
    }
    let wave = Tone(key: key, lead: 0.13, loop: 0.02, partials: partials).rendered()
    return wave.struck(0.2, decay: 0.005, seed: 28, .bandPass(1_800, q: 0.6, rate: Double(wave.rate))).overdriven(1.8)
  }

  /// The string into a valve stage and a loudspeaker cabinet.
  private static func amplified(_ key: Int, drive: Double, cabinet: Double) -> Wave {
    let partials = harmonics(key, limit: 4_000) { n, f in
      let pluck = (abs(sin(.pi * Double(n) * 0.15)) + 0.1) / pow(Double(n), 0.9)
      return Partial(
        ratio: 1, level: pluck * exp(-f / 2_500), decay: 1.5 + f / 900, tail: 0.5, onset: 0.002,
        phase: Double(n * n) * 0.13)
    }
    let wave = Tone(key: key, lead: 0.08, loop: 0.1, shimmer: 0.25, partials: partials).rendered()
    let rate = Double(wave.rate)
    return wave.struck(0.3, decay: 0.012, seed: 30, .bandPass(2_000, q: 0.5, rate: rate))
      .filtered(.highPass(110, rate: rate)).overdriven(drive, bias: 0.2)
      .filtered(
        .highPass(75, rate: rate), .peak(420, q: 0.8, decibels: -4, rate: rate),
        .peak(2_600, q: 0.9, decibels: 5, rate: rate), .lowPass(cabinet, q: 0.9, rate: rate),
        .lowPass(cabinet * 1.2, rate: rate))
  }
}
