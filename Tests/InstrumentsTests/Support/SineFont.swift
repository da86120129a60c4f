import TestSupport

/// A soundfont whose program 0 is a sine that ends as soon as it is let go; in program 1 two keys are a semitone.
enum SineFont {
  /// The file is gone when `body` returns.
  static func withFile<Result>(_ body: (String) throws -> Result) rethrows -> Result { try font.withFile(body) }

  private static let font: SoundFontBytes = {
    // 44 periods of 440 Hz.
    var sine = SoundFontBytes.Sample.sine(period: 100, count: 4400, amplitude: 30_000 / 32_767)
    sine.loop = 400..<4000
    sine.rate = 44_000
    sine.key = 69
    var font = SoundFontBytes(samples: [sine])
    // Released within 2 ms; a vibrato, once asked for, has 5.5 Hz and begins after 0.4 s.
    font.instruments = [
      [
        .global([.releaseVolEnv: -10_759, .freqVibLFO: -686, .delayVibLFO: -1586, .initialAttenuation: 10]),
        .init([.sampleModes: 1], playing: 0),
      ],
      [
        .global([
          .releaseVolEnv: -10_759, .freqVibLFO: -686, .delayVibLFO: -1586, .initialAttenuation: 13, .scaleTuning: 50,
        ]),
        .init([.sampleModes: 1], playing: 0),
      ],
    ]
    font.presets = [.init([.init(playing: 0)], named: "Sine"), .init([.init(playing: 1)], program: 1, named: "Half")]
    return font
  }()
}
