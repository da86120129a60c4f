import TestSupport

/// A soundfont of sines: key 69 sounds at 440 Hz in preset 0:0, and higher by the semitones that `semitones` has for
/// the others.
enum BankFont {
  /// Bank, program and semitones above 440 Hz.
  static let semitones: [(bank: Int, program: Int, semitones: Int)] = [
    (0, 0, 0), (1, 0, 1), (8, 0, 2), (64, 0, 3), (0, 5, 4), (128, 0, 12), (128, 1, 13),
  ]

  /// The file is gone when `body` returns.
  static func withFile<Result>(_ body: (String) throws -> Result) rethrows -> Result { try font.withFile(body) }

  private static let font: SoundFontBytes = {
    var sine = SoundFontBytes.Sample.sine(period: 100, count: 4400, amplitude: 0.9)
    sine.loop = 400..<4000
    sine.rate = 44_000
    sine.key = 69
    var font = SoundFontBytes(samples: [sine])
    font.instruments = [[.global([.releaseVolEnv: -10_759]), .init([.sampleModes: 1], playing: 0)]]
    font.presets = semitones.map { preset in
      .init([.init([.coarseTune: preset.semitones], playing: 0)], bank: preset.bank, program: preset.program)
    }
    return font
  }()
}
