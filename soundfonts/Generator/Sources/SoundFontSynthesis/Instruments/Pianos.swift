// Programs 0–7: pianos, electric pianos, harpsichord, clavinet.
import Glibc

enum Pianos {
  static let grand = SampleSet("Piano", [31, 45, 57, 68, 80, 94].map(piano))
  static let tine = SampleSet("Tine", [48, 70].map(tinePiano))
  static let fm = SampleSet("FM piano", [48, 70].map(fmPiano))
  static let harpsichord = SampleSet("Harpsichord", [45, 65].map(plectrum))
  static let clavinet = SampleSet("Clavinet", [55].map(clavinetString))

  static let presets = [
    Preset(0, "Grand Piano", [Layer(grand, struck)]),
    Preset(1, "Bright Piano", [Layer(grand, bright)]),
    Preset(2, "Electric Grand", [Layer(grand, electricGrand), Layer(tine, electricGrandTine)]),
    Preset(3, "Honky-tonk", Layer(grand, honkyTonk).doubled(cents: 17, pan: 8)),
    Preset(
      4, "Tine Piano",
      [
        Layer(
          tine,
          Articulation(decay: 24, release: 0.25, decayTracking: 0.4, cutoff: 9_000, dynamics: 3_600, chorus: 10))
      ]),
    Preset(
      5, "FM Piano",
      [
        Layer(
          fm, Articulation(decay: 22, release: 0.3, decayTracking: 0.4, cutoff: 11_000, dynamics: 2_400, chorus: 15))
      ]),
    Preset(
      6, "Harpsichord",
      [
        Layer(
          harpsichord,
          Articulation(
            decay: 12, release: 0.12, decayTracking: 0.5, cutoff: 2_600, filterSweep: .init(cents: 2_700, decay: 2.6)))
      ]),
    Preset(
      7, "Clavinet",
      [Layer(clavinet, Articulation(decay: 9, release: 0.06, decayTracking: 0.4, cutoff: 9_000, dynamics: 2_400))]),
  ]

  private static let struck = Articulation(
    decay: 17, release: 0.28, decayTracking: 0.75, cutoff: 700, filterSweep: .init(cents: 4_300, decay: 5.5),
    dynamics: 4_000)

  private static let bright = Articulation(
    decay: 17, release: 0.3, decayTracking: 0.75, cutoff: 1_800, filterSweep: .init(cents: 3_600, decay: 6),
    dynamics: 2_000)

  private static let electricGrand = Articulation(
    decay: 17, release: 0.22, decayTracking: 0.4, cutoff: 8_000, dynamics: 2_400, chorus: 20)
  private static let electricGrandTine = Articulation(
    level: -11, decay: 17, release: 0.22, decayTracking: 0.4, detune: 4, chorus: 20)
  private static let honkyTonk = Articulation(
    decay: 14, release: 0.25, decayTracking: 0.7, cutoff: 9_500, dynamics: 2_400)

  /// Three strings a key, struck at an eighth: bright at first, then the fundamental remains.
  private static func piano(_ key: Int) -> Wave {
    let pitch = frequency(key)
    let octaves = Double(key - 60) / 12
    let stiffness = 0.0004 * pow(2, octaves * 1.3)
    let fast = 3.2 * pow(2, octaves * 0.8)
    let knee = 560 * pow(2, octaves * 0.35)
    let strings = harmonics(key, limit: 9_500, stiffness: min(stiffness, 0.02)) { n, f in
      let comb = abs(sin(.pi * Double(n) / 8.3)) * 0.8 + 0.2
      let board = 1 / (1 + pow(85 / f, 2))
      let uneven = 1 + 0.35 * sin(Double(n) * 2.4 + Double(key))
      let level = comb * board * uneven * exp(-f / knee) + 0.013 * exp(-f / 3_200)
      let decay = fast * (n == 1 ? 0.7 : 1) + 1.6 * pow(f / 1_000, 1.1)
      return Partial(
        ratio: 1, level: level, decay: decay, tail: n < 4 ? 0.3 : 0.1, onset: 0.002, phase: Double(n * n) * 0.381)
    }
    let second = strings.map { string in
      var detuned = string
      detuned.level *= 0.5
      detuned.tail = 0
      return detuned
    }
    let lead = max(0.12, 0.36 - 0.07 * max(0, octaves + 1))
    let rate = key < 40 ? 11_000.0 : key < 50 ? 14_000 : 17_000
    let tone = Tone(key: key, rate: rate, lead: lead, loop: key < 50 ? 0.09 : 0.06, partials: strings)
    var wave = tone.rendered()
    wave.frames = wave.frames.mixed(beating(tone, second, cents: 1.6 + 0.5 * abs(octaves)))
    // The strings alone would peak 20 dB above their average and sound thin beside the other programs.
    return wave.overdriven(0.9).struck(
      0.16 + 0.05 * max(0, octaves), decay: 0.018, seed: key,
      .bandPass(min(2_500, pitch * 2.5), q: 0.5, rate: Double(wave.rate)),
      .lowPass(5_000, rate: Double(wave.rate)))
  }

  /// The other strings of the key: out of tune, therefore gone before the loop.
  private static func beating(_ tone: Tone, _ partials: [Partial], cents: Double) -> [Double] {
    let pitch = frequency(tone.key)
    let start = tone.lead * tone.rate
    let rate = tone.rate
    var frames = [Double](repeating: 0, count: Int(start))
    for partial in partials {
      let step = 2 * Double.pi * partial.ratio * pitch * pow(2, cents / 1_200) / rate
      guard step < 2.8 else { continue }
      for i in frames.indices {
        let t = Double(i)
        let fade = 0.5 + 0.5 * cos(.pi * t / start)
        frames[i] +=
          partial.level * fade * min(1, t / 40) * exp(-partial.decay * t / rate)
          * sin(step * t + 2 * .pi * partial.phase)
      }
    }
    return frames
  }

  /// A tuning fork: nearly a sine, with the bell of its tine at the attack.
  private static func tinePiano(_ key: Int) -> Wave {
    let bell = 1 - Double(key - 45) / 90
    let partials = [
      Partial(ratio: 1, level: 1, onset: 0.003),
      Partial(ratio: 2, level: 0.34 * bell, decay: 2.2, tail: 0.35, phase: 0.2),
      Partial(ratio: 3, level: 0.16 * bell, decay: 3.5, tail: 0.2, phase: 0.4),
      Partial(ratio: 4, level: 0.08 * bell, decay: 5, tail: 0.1),
      Partial(ratio: 5, level: 0.05 * bell, decay: 6, tail: 0.05),
      Partial(ratio: 7.1, level: 0.3 * bell, decay: 20, phase: 0.3),
      Partial(ratio: 13.6, level: 0.12 * bell, decay: 34),
    ]
    let wave = Tone(key: key, lead: 0.16, loop: 0.02, partials: partials).rendered()
    return wave.struck(0.1, decay: 0.007, seed: 4, .lowPass(4_000, rate: Double(wave.rate)))
  }

  /// Two pairs of operators as in the famous FM preset: a 14:1 bell over a soft 1:1 body.
  private static func fmPiano(_ key: Int) -> Wave {
    let rate = 20_000.0
    let frame = Tone(key: key, rate: rate, lead: 0.13, loop: 0.01, partials: [Partial(ratio: 1, level: 0)]).rendered()
    var wave = frame
    let step = 2 * Double.pi * frequency(key) / Double(wave.rate)
    let start = Double(wave.loop?.lowerBound ?? 1)
    for i in wave.frames.indices {
      let t = min(Double(i), start) / Double(wave.rate)
      let settle = 1 - min(1, Double(i) / (0.95 * start))
      let phase = step * Double(i)
      let body = sin(phase + (0.75 + 0.7 * exp(-t * 5) * settle) * sin(phase))
      let bellIndex = 1.9 * exp(-t * 12) * settle * (key > 70 ? 0.5 : 1)
      let bell = 0.5 * sin(phase + (bellIndex + 0.06) * sin(14 * phase))
      wave.frames[i] = min(1, Double(i) / 30) * (body + bell)
    }
    return wave
  }

  /// Quills near the bridge on two choirs of thin strings.
  private static func plectrum(_ key: Int) -> Wave {
    let partials = harmonics(key, limit: 11_500, stiffness: 0.00004) { n, f in
      let level = (abs(sin(.pi * Double(n) * 0.13)) + 0.12) / pow(Double(n), 0.62) * exp(-f / 5_500)
      return Partial(
        ratio: 1, level: level / (1 + pow(130 / f, 2)), decay: 1.2 + f / 1_500, tail: 0.14, phase: Double(n) * 0.27)
    }
    let wave = Tone(key: key, rate: 18_000, lead: 0.14, loop: 0.03, partials: partials).rendered()
    return wave.struck(0.16, decay: 0.006, seed: 6, .highPass(2_500, rate: Double(wave.rate)))
  }

  /// A string pressed against an anvil, heard by two pick-ups out of phase.
  private static func clavinetString(_ key: Int) -> Wave {
    let partials = harmonics(key, limit: 8_500, stiffness: 0.00008) { n, f in
      let pickup = abs(sin(.pi * Double(n) * 0.29)) + 0.15
      let level = pickup * (abs(sin(.pi * Double(n) * 0.07)) + 0.05) / pow(Double(n), 0.75)
      return Partial(
        ratio: 1, level: level * exp(-f / 4_200), decay: 2 + f / 900, tail: 0.2, phase: Double(n) * 0.07)
    }
    let wave = Tone(key: key, lead: 0.14, loop: 0.03, partials: partials).rendered()
    return wave.struck(0.1, decay: 0.004, seed: 7, .highPass(1_500, rate: Double(wave.rate)))
  }
}
