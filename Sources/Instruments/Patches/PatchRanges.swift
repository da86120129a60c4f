/// What the numbers of a patch may be.
public enum PatchRanges {
  /// In dB, of the patch, an oscillator or the noise.
  public static let level = -60.0...12.0
  /// In seconds, of every stage of an envelope, of a glide and of the LFO's delay.
  public static let duration = 0.0...60.0
  /// 0 to 1: sustain, spread, key tracking.
  public static let share = 0.0...1.0
  public static let tune = -48.0...48.0
  /// In cents.
  public static let detune = -100.0...100.0
  public static let pulseWidth = 0.02...0.98
  public static let cutoff = 10.0...20000.0
  /// In dB.
  public static let resonance = -12.0...36.0
  /// In octaves.
  public static let filterAmount = -10.0...10.0
  /// In Hz.
  public static let rate = 0.01...50.0
  /// In cents.
  public static let vibrato = 0.0...1200.0
  /// In dB.
  public static let tremolo = 0.0...60.0
  public static let unisonVoices = 1.0...8.0
  /// In dB.
  public static let velocityRange = 0.0...60.0
  public static let velocityCurve = 0.1...10.0
}
