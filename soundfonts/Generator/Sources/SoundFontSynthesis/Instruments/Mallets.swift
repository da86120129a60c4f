// Programs 8–15: chromatic percussion, as modes of bars, plates and tubes.
import Glibc

enum Mallets {
  static let celesta = SampleSet("Celesta", [72].map { bar($0, lead: 0.12, celestaModes) })
  static let glockenspiel = SampleSet("Glockenspiel", [84].map { bar($0, rate: 20_000, lead: 0.12, glockenspielModes) })
  static let musicBox = SampleSet("Music box", [76].map { bar($0, lead: 0.13, musicBoxModes) })
  static let vibraphone = SampleSet("Vibraphone", [60].map { bar($0, lead: 0.18, vibraphoneModes) })
  static let marimba = SampleSet(
    "Marimba", [48, 67].map { bar($0, rate: 16_000, lead: 0.12, marimbaModes, thump: 0.25) })
  static let xylophone = SampleSet(
    "Xylophone", [72].map { bar($0, lead: 0.11, xylophoneModes, thump: 0.2).overdriven(1.3) })
  static let tubularBell = SampleSet(
    "Tubular bell", [60].map { bar($0, rate: 14_000, lead: 0.26, loop: 0.1, tubularModes) })
  static let dulcimer = SampleSet("Dulcimer", [60].map(hammeredString))

  static let presets = [
    Preset(8, "Celesta", [Layer(celesta, Articulation(decay: 5.5, release: 0.5, decayTracking: 0.5))]),
    Preset(9, "Glockenspiel", [Layer(glockenspiel, Articulation(decay: 7, release: 0.9, decayTracking: 0.4))]),
    Preset(10, "Music Box", [Layer(musicBox, Articulation(decay: 6.5, release: 0.7, decayTracking: 0.4))]),
    Preset(11, "Vibraphone", [Layer(vibraphone, vibraphoneWithMotor)]),
    Preset(
      12, "Marimba",
      [Layer(marimba, Articulation(decay: 3.4, release: 0.35, decayTracking: 0.7, cutoff: 8_000, dynamics: 2_400))]),
    Preset(
      13, "Xylophone",
      [Layer(xylophone, Articulation(decay: 1.7, release: 0.25, decayTracking: 0.6, cutoff: 12_000, dynamics: 1_800))]),
    Preset(14, "Tubular Bells", [Layer(tubularBell, Articulation(decay: 14, release: 1.6, decayTracking: 0.3))]),
    Preset(
      15, "Dulcimer",
      Layer(
        dulcimer,
        Articulation(
          decay: 7.5, release: 0.5, decayTracking: 0.4, cutoff: 2_400, filterSweep: .init(cents: 2_600, decay: 2.2),
          dynamics: 1_800)
      )
      .doubled(cents: 7, pan: 10)),
  ]

  private static let vibraphoneWithMotor = Articulation(
    decay: 11, release: 0.4, decayTracking: 0.4, wobble: .init(rate: 5.2, delay: 0.1, volume: 2.2))

  /// Modes as (ratio, level, decay rate beside the fundamental's).
  private static let celestaModes = [
    (1.0, 1.0, 0.0), (2.0, 0.1, 2.0), (4.0, 0.22, 9), (8.2, 0.05, 24), (12.9, 0.02, 40),
  ]
  private static let glockenspielModes = [(1.0, 1.0, 0.0), (2.76, 0.4, 7), (5.4, 0.22, 16), (8.93, 0.08, 30)]
  private static let musicBoxModes = [
    (1.0, 1.0, 0.0), (2.0, 0.16, 3), (3.02, 0.09, 4), (5.1, 0.24, 10), (6.27, 0.16, 14), (9.6, 0.06, 28),
  ]
  private static let vibraphoneModes = [(1.0, 1.0, 0.0), (4.0, 0.22, 6), (10.2, 0.08, 22), (2.0, 0.02, 1)]
  private static let marimbaModes = [
    (1.0, 1.0, 0.0), (3.93, 0.3, 17), (9.6, 0.12, 40), (2.0, 0.03, 6), (14.5, 0.04, 60),
  ]
  private static let xylophoneModes = [(1.0, 1.0, 0.0), (3.0, 0.5, 9), (6.1, 0.28, 22), (10.3, 0.12, 40)]
  private static let tubularModes = [
    (0.5, 0.12, 0.3), (1.0, 0.62, 0.0), (1.5, 0.52, 0.5), (2.0, 0.9, 0.6), (2.74, 0.6, 1.6), (3.76, 0.45, 2.6),
    (4.92, 0.3, 4),
    (6.25, 0.2, 6), (7.7, 0.12, 9), (9.3, 0.06, 14),
  ]

  static func bar(
    _ key: Int, rate: Double = 16_000, lead: Double, loop: Double = 0.01, _ modes: [(Double, Double, Double)],
    thump: Double = 0.12
  ) -> Wave {
    let partials = modes.enumerated().map { n, mode in
      Partial(
        ratio: mode.0, level: mode.1, decay: mode.2, tail: n == 0 ? 1 : 0.03, onset: 0.0008, phase: Double(n) * 0.21)
    }
    let wave = Tone(key: key, rate: rate, lead: lead, loop: loop, partials: partials).rendered()
    return wave.struck(thump, decay: 0.007, seed: key, .bandPass(frequency(key) * 2.2, q: 0.6, rate: Double(wave.rate)))
  }

  private static func hammeredString(_ key: Int) -> Wave {
    let partials = harmonics(key, limit: 9_500, stiffness: 0.0001) { n, f in
      let level = (abs(sin(.pi * Double(n) * 0.18)) + 0.1) / pow(Double(n), 0.55) * exp(-f / 6_000)
      return Partial(ratio: 1, level: level, decay: 1.5 + f / 1_100, tail: 0.15, phase: Double(n) * 0.37)
    }
    let wave = Tone(key: key, lead: 0.17, loop: 0.04, partials: partials).rendered()
    return wave.struck(0.25, decay: 0.006, seed: key, .highPass(900, rate: Double(wave.rate)))
  }
}
