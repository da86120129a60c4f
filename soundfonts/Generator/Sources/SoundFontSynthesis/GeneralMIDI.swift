// The built-in font: all General MIDI programs and the drum kit.

/// The General MIDI sound set, synthesised from nothing.
public enum GeneralMIDI {
  /// The bytes of a SoundFont 2.04 file with programs 0–127 in bank 0 and a drum kit in bank 128.
  ///
  /// Takes a second or so; the same on every run.
  public static func soundFont() -> [UInt8] {
    SoundFontWriter.file(presets, name: "Synth GM")
  }

  static let presets: [Preset] =
    Pianos.presets + Mallets.presets + Organs.presets + Guitars.presets + Basses.presets + Strings.presets
    + Ensembles.presets + Brass.presets + Reeds.presets + Pipes.presets + SynthLeads.presets + SynthPads.presets
    + SynthEffects.presets + Ethnic.presets + Percussive.presets + SoundEffects.presets + DrumKit.presets
}
