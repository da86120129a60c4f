// Skins, shells and sticks of the kit.
import Glibc

enum Drums {
  static let kick = SampleSet("Kick", [kickWave(beater: 0.5, tone: 52)])
  static let snare = SampleSet("Snare", [snareWave(wires: 0.34, tone: 186, decay: 19)])
  static let stick = SampleSet("Side stick", [sideStick()])
  static let clap = SampleSet("Hand clap", [clapWave()])
  static let tom = SampleSet("Tom", [tomWave()])
  static let electronicTom = SampleSet("Synth tom", [electronicWave()])
  static let taiko = SampleSet("Taiko", [taikoWave()])
  static let woodblock = SampleSet("Woodblock", [knock(72, 880, [(1, 1, 42), (2.42, 0.5, 75), (4.1, 0.2, 120)])])
  static let claves = SampleSet("Claves", [knock(75, 2_480, [(1, 1, 38), (2.6, 0.15, 90)])])
  static let drumSticks = SampleSet("Sticks", [knock(31, 1_750, [(1, 1, 70), (1.52, 0.7, 90), (2.8, 0.5, 120)])])

  private static func kickWave(beater: Double, tone: Double) -> Wave {
    let rate = 14_000.0
    return Membrane(
      rate: rate, seconds: 0.25, modes: [.init(tone, 1, 9.5), .init(tone * 1.9, 0.22, 22)], bend: (1.5, 42),
      rattles: [
        .init(level: beater, decay: 150, filters: [.bandPass(2_600, q: 0.5, rate: rate)]),
        .init(level: 0.1, decay: 45, filters: [.lowPass(500, rate: rate)]),
      ]
    ).rendered(key: 36, seed: 36).overdriven(1.3)
  }

  private static func snareWave(wires: Double, tone: Double, decay: Double) -> Wave {
    let rate = 22_050.0
    return Membrane(
      rate: rate, seconds: 0.19,
      modes: [.init(tone, 0.85, 27), .init(tone * 1.59, 0.5, 34), .init(tone * 2.3, 0.22, 45)], bend: (0.35, 60),
      rattles: [
        .init(
          level: wires, decay: decay, attack: 0.001,
          filters: [.highPass(1_400, rate: rate), .peak(4_200, q: 0.7, decibels: 5, rate: rate)]),
        .init(level: 0.5, decay: 220, filters: [.bandPass(3_500, q: 0.5, rate: rate)]),
        .init(level: wires * 0.5, decay: decay * 1.6, filters: [.bandPass(900, q: 0.6, rate: rate)]),
      ]
    ).rendered(key: 38, seed: 38).overdriven(1.8)
  }

  private static func sideStick() -> Wave {
    let rate = 22_050.0
    return Membrane(
      rate: rate, seconds: 0.06, modes: [.init(1_720, 1, 85), .init(2_650, 0.5, 110), .init(480, 0.4, 70)],
      rattles: [.init(level: 0.5, decay: 260, filters: [.highPass(2_000, rate: rate)])]
    ).rendered(key: 37, seed: 37).overdriven(1.5)
  }

  /// Four hands a hundredth of a second apart, then the room.
  private static func clapWave() -> Wave {
    let rate = 16_000.0
    var source = Noise(seed: 39)
    let count = 2_600
    let frames = (0..<count).map { i in
      let t = Double(i) / rate
      let hands = [0, 0.0105, 0.0205, 0.0315].reduce(0.0) { $0 + (t >= $1 ? exp(-(t - $1) * 230) : 0) }
      let room = t >= 0.0315 ? 0.55 * exp(-(t - 0.0315) * 26) : 0
      return source.next() * (hands + room) * min(1, Double(count - i) / 260)
    }
    return Wave(frames: frames, rate: Int(rate), key: 39, loop: nil)
      .filtered(.bandPass(1_250, q: 0.9, rate: rate), .peak(2_600, q: 1, decibels: 4, rate: rate))
  }

  private static func tomWave() -> Wave {
    let rate = 10_000.0
    return Membrane(
      rate: rate, seconds: 0.36,
      modes: [.init(110, 1, 7.5), .init(175, 0.4, 14), .init(238, 0.22, 18), .init(320, 0.1, 24)], bend: (0.5, 22),
      rattles: [
        .init(level: 0.3, decay: 110, filters: [.bandPass(1_700, q: 0.5, rate: rate)]),
        .init(level: 0.08, decay: 18, filters: [.lowPass(900, rate: rate)]),
      ]
    ).rendered(key: 45, seed: 45)
  }

  private static func electronicWave() -> Wave {
    Membrane(
      rate: 8_000, seconds: 0.33, modes: [.init(98, 1, 7), .init(196, 0.12, 10)], bend: (1.7, 9),
      rattles: [.init(level: 0.14, decay: 60, filters: [.bandPass(1_500, q: 0.6, rate: 8_000)])]
    ).rendered(key: 60, seed: 118)
  }

  private static func taikoWave() -> Wave {
    let rate = 7_000.0
    return Membrane(
      rate: rate, seconds: 0.5,
      modes: [.init(72, 1, 5), .init(115, 0.55, 8), .init(158, 0.35, 12), .init(212, 0.2, 17)], bend: (0.3, 26),
      rattles: [
        .init(level: 0.35, decay: 60, filters: [.bandPass(700, q: 0.4, rate: rate)]),
        .init(level: 0.2, decay: 200, filters: [.highPass(2_000, rate: rate)]),
      ]
    ).rendered(key: 60, seed: 116)
  }

  /// A piece of hard wood: modes as (ratio, level, decay rate).
  private static func knock(_ key: Int, _ pitch: Double, _ modes: [(Double, Double, Double)]) -> Wave {
    let rate = 20_000.0
    return Membrane(
      rate: rate, seconds: 0.07, modes: modes.map { .init(pitch * $0.0, $0.1, $0.2) },
      rattles: [.init(level: 0.25, decay: 400, filters: [.highPass(1_500, rate: rate)])]
    ).rendered(key: key, seed: key)
  }
}
