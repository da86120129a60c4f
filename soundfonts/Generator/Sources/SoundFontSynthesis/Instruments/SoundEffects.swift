// Programs 120–127: noises.
import Glibc

enum SoundEffects {
  static let hiss = SampleSet("Noise", [noise(60)])
  static let fret = SampleSet("Fret noise", [squeak(60)])
  static let bird = SampleSet("Bird", [chirps(72)])
  static let ring = SampleSet("Telephone", [telephone(72)])
  static let rotor = SampleSet("Helicopter", [helicopter(60)])
  static let clapping = SampleSet("Applause", [applause(60)])
  static let shot = SampleSet("Gunshot", [gunshot(60)])

  static let presets = [
    Preset(120, "Fret Noise", [Layer(fret, Articulation(release: 0.2))]),
    Preset(
      121, "Breath Noise",
      [Layer(hiss, Articulation(attack: 0.06, decay: 2.5, sustain: 100, release: 0.2, cutoff: 2_400, resonance: 3))]),
    Preset(
      122, "Seashore",
      [
        Layer(
          hiss,
          Articulation(
            attack: 1.2, release: 1.5, cutoff: 1_300,
            filterSweep: .init(cents: 1_200, attack: 1.8, decay: 4, sustain: 0.2, release: 1.5),
            wobble: .init(rate: 0.16, filter: 700, volume: 6)))
      ]),
    Preset(123, "Bird Tweet", [Layer(bird, Articulation(release: 0.3))]),
    Preset(124, "Telephone Ring", [Layer(ring, Articulation(release: 0.1))]),
    Preset(125, "Helicopter", [Layer(rotor, Articulation(attack: 0.3, release: 0.6))]),
    Preset(126, "Applause", Layer(clapping, Articulation(attack: 0.3, release: 0.8)).doubled(cents: 200, pan: 30)),
    Preset(127, "Gunshot", [Layer(shot, Articulation(release: 1))]),
  ]

  private static func noise(_ key: Int) -> Wave {
    var source = Noise(seed: 121)
    return Wave(looping: source.signal(3_500), rate: 16_000, key: key)
  }

  private static func squeak(_ key: Int) -> Wave {
    let rate = 14_000.0
    var source = Noise(seed: 120)
    var phase = 0.0
    let frames = (0..<2_600).map { i in
      let t = Double(i) / 2_600
      phase += 2 * .pi * (900 + 1_300 * t) / rate
      let envelope = sin(.pi * t) * sin(.pi * t)
      return envelope * (source.next() * 0.8 * (0.5 + 0.5 * sin(phase)) + 0.2 * sin(2 * phase))
    }
    return Wave(frames: frames, rate: Int(rate), key: key, loop: nil).filtered(.bandPass(2_200, q: 0.7, rate: rate))
  }

  private static func chirps(_ key: Int) -> Wave {
    let rate = 11_000.0
    var phase = 0.0
    let count = 3_300 + 2 * Wave.guardFrames
    let frames = (0..<count).map { i in
      let t = Double((i - Wave.guardFrames + 3_300) % 3_300) / rate
      let chirp = t.truncatingRemainder(dividingBy: 0.1) / 0.1
      if t == 0 { phase = 0 }
      phase += 2 * .pi * (3_600 - 1_300 * chirp + 500 * sin(2 * .pi * 28 * t)) / rate
      return sin(phase) * pow(sin(.pi * min(1, chirp * 1.25)), 2)
    }
    return Wave(frames: frames, rate: Int(rate), key: key, loop: Wave.guardFrames..<3_300 + Wave.guardFrames)
  }

  private static func telephone(_ key: Int) -> Wave {
    let partials = [(1.0, 1.0), (1.26, 0.8), (2.76, 0.4), (3.5, 0.3), (5.4, 0.2)].map { Partial(ratio: $0, level: $1) }
    var wave = Tone(key: key, lead: 0.01, loop: 0.1, partials: partials).rendered()
    for i in wave.frames.indices {
      let stroke = Double(i - (wave.loop?.lowerBound ?? 0)) / Double(wave.loop?.count ?? 1) * 2
      let sinceStroke = stroke - stroke.rounded(.down)
      wave.frames[i] *= exp(-sinceStroke * 2.2) * min(1, sinceStroke * 40)
    }
    return wave
  }

  private static func helicopter(_ key: Int) -> Wave {
    let count = 2_560
    var source = Noise(seed: 125)
    let air = source.signal(count).circularlyFiltered(.lowPass(600, rate: 6_400))
    let frames = (0..<count).map { i in
      let blade = Double(i % (count / 4)) / Double(count / 4)
      return air[i] * (0.1 + exp(-blade * 6) * min(1, blade * 25)) + 0.15 * sin(2 * .pi * blade) * exp(-blade * 4)
    }
    return Wave(looping: frames, rate: 6_400, key: key)
  }

  private static func applause(_ key: Int) -> Wave {
    let count = 4_500
    let rate = 11_000.0
    var source = Noise(seed: 126)
    var claps = [Double](repeating: 0, count: count)
    for _ in 0..<72 {
      let start = Int((source.next() + 1) / 2 * Double(count))
      let level = 0.3 + 0.7 * abs(source.next())
      for i in 0..<400 { claps[(start + i) % count] += level * exp(-Double(i) / 55) * source.next() }
    }
    return Wave(
      looping: claps.circularlyFiltered(.bandPass(1_500, q: 0.6, rate: rate)), rate: Int(rate), key: key)
  }

  private static func gunshot(_ key: Int) -> Wave {
    let rate = 11_000.0
    var source = Noise(seed: 127)
    let frames = (0..<3_000).map { i in
      let t = Double(i) / rate
      return source.next() * (exp(-t * 60) + 0.25 * exp(-t * 9)) * min(1, Double(i) / 4) * (1 - Double(i) / 3_000)
    }
    return Wave(frames: frames, rate: Int(rate), key: key, loop: nil).filtered(.lowPass(2_600, q: 0.6, rate: rate))
      .overdriven(3)
  }
}
