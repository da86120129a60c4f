import SynthSoundFonts

/// What `synth font` finds out: each preset is made playable, and each Vorbis sample decoded, but nothing is kept.
struct FontFacts {
  let font: SoundFont
  /// As many as the font's presets; 0 for one that cannot be heard.
  let zoneCounts: [Int]
  let samples: [SoundFontSampleHeader]
  /// The first hundred.
  let problems: [SoundFontProblem]
  let problemCount: Int

  init(_ font: SoundFont) {
    self.font = font
    samples = (0..<font.sampleCount).map(font.sample)
    let playable = PlayablePresets(font, preload: .nothing)
    var known: Set<[Int]> = []
    zoneCounts = font.presets.map { header in
      guard known.insert([header.bank, header.program]).inserted else { return 0 }
      return playable.preset(bank: header.bank, program: header.program)?.pointee.zoneCount ?? 0
    }
    problems = Array((font.problems.first + playable.problems.first).prefix(100))
    problemCount = font.problems.count + playable.problems.count
  }

  /// "2.04".
  var version: String { "\(font.version.major).\(font.version.minor < 10 ? "0" : "")\(font.version.minor)" }

  var vorbisCount: Int { samples.count { $0.isVorbis } }

  /// In the file, whatever the samples say.
  var bits: Int { font.is24Bit ? 24 : 16 }
}
