import SynthDSP
import SynthSoundFonts

extension SampleVoice {
  /// Finds what of the wave is played; false for less than two words.
  @_noLocks
  mutating func setSpan(_ context: VoiceContext) -> Bool {
    let sample = zone.pointee.sample
    guard
      let span = sample.span(
        start: offset(0, 4, context), end: offset(1, 12, context), loopStart: offset(2, 45, context),
        loopEnd: offset(3, 50, context))
    else { return false }
    wave = SampledWave(
      words: sample.words, lowBytes: sample.lowBytes, start: span.start, end: span.end, loopStart: span.loopStart,
      loopEnd: span.loopEnd)
    if !span.canLoop { loopMode = .none }
    return true
  }

  /// In words, of a fine and a coarse generator.
  @_noLocks
  private func offset(_ fine: Int, _ coarse: Int, _ context: VoiceContext) -> Int {
    let words = min(max(value(fine, context), -1e9), 1e9)
    let blocks = min(max(value(coarse, context), -1e5), 1e5)
    return Int(words) &+ 32768 &* Int(blocks)
  }
}
