import SynthMIDI
import SynthRealtime
import SynthSoundFonts

// The key, its tuning, bends and glides become the pitch of a voice, in cents.

extension SampleVoice {
  @_noLocks
  mutating func setRoot(_ context: VoiceContext) {
    let sample = zone.pointee.sample
    let override = Double(zone.pointee.generators[58])
    let key = override > -1 ? override : Double(sample.rootKey)
    rootPitch = key * 100
    let rate = sample.sampleRate > 0 ? Double(sample.sampleRate) : context.sampleRate
    // The scale is of keys: it leaves the correction as it is.
    let recordedPitch = rootPitch - Double(sample.correction)
    rootFrequency = context.conversions.frequency(recordedPitch) * (context.sampleRate / rate)
  }

  /// Takes the pitch of a key by its tuning and the scale of the zone.
  @_noLocks
  mutating func setKeyPitch(_ context: VoiceContext) { keyPitch = pitch(of: sourceKey, context) }

  @_noLocks
  func pitch(of key: Double, _ context: VoiceContext) -> Double {
    let scale = Double(zone.pointee.generators[56])
    let root = rootPitch + 100 * detuning(rootPitch / 100, context)
    return scale * (key + detuning(key, context) - root / 100) + root
  }

  /// How far a key is from its equal-tempered pitch, in semitones.
  @_noLocks
  func detuning(_ key: Double, _ context: VoiceContext) -> Double {
    if context.performance.pointee.isEqualTempered { return 0 }
    let key = UInt8(truncatingIfNeeded: Int32(min(max(key, 0), 127)))
    return Double(context.performance.pointee.tunedPitch(key, channel)) - Double(key)
  }

  @_noLocks
  mutating func setPitch(_ context: VoiceContext) {
    let performance = context.performance
    let told =
      performance.pointee.zones.contain(channel)
      ? performance.pointee.pitchOffset(channel)
      : performance.pointee.tuningOffset(channel)
    pitch =
      keyPitch + noteBend + 100 * Double(told) + 100 * value(51, context) + value(52, context) + value(59, context)
  }

  // MARK: - Portamento

  /// Begins a glide from a key to the voice's; one under way is added to it.
  @_noLocks
  mutating func beginGlide(from key: UInt8, _ context: VoiceContext) {
    let milliseconds = context.performance.pointee.glideTime(from: key, to: self.key, channel)
    let quanta = Int32(context.sampleRate * 0.001 * milliseconds / Double(Int32(renderQuantum)) + 0.5)
    guard quanta > 0 else { return }
    glide += pitch(of: Double(key), context) - keyPitch
    glideStep = -glide / Double(quanta)
  }
}
