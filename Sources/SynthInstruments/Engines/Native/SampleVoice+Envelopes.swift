import SynthRealtime
import SynthSoundFonts

// Time cents and frequencies become the times of envelopes and LFOs, in whole quanta.

extension SampleVoice {
  @_noLocks
  mutating func setLFO(_ generator: Int, _ context: VoiceContext) {
    let conversions = context.conversions
    switch generator {
    case 21:
      modulationLFO.setDelay(
        frames: context.sampleRate * conversions.seconds(value(21, context), upTo: 5000))
    case 23:
      vibratoLFO.setDelay(frames: context.sampleRate * conversions.seconds(value(23, context), upTo: 5000))
    case 22:
      modulationLFO.setFrequency(
        conversions.frequency(min(max(value(22, context), -16000), 4500)), sampleRate: context.sampleRate)
    default:
      vibratoLFO.setFrequency(
        conversions.frequency(min(max(value(24, context), -16000), 4500)), sampleRate: context.sampleRate)
    }
  }

  @_noLocks
  mutating func setModulationEnvelope(_ generator: Int, _ context: VoiceContext) {
    switch generator {
    case 25: modulationTimes.delay = quanta(value(25, context), upTo: 5000, context)
    case 26: modulationTimes.attack = quanta(value(26, context), upTo: 8000, context, extra: 1)
    case 27, 31: modulationTimes.hold = keyedQuanta(27, 31, upTo: 5000, context)
    case 28, 29, 32:
      modulationTimes.decay = keyedQuanta(28, 32, upTo: 8000, context)
      modulationTimes.sustain = sustain(29, context)
    default: modulationTimes.release = quanta(value(30, context), upTo: 8000, context, extra: 1)
    }
  }

  @_noLocks
  mutating func setVolumeEnvelope(_ generator: Int, _ context: VoiceContext) {
    switch generator {
    case 33: volumeTimes.delay = quanta(value(33, context), upTo: 5000, context)
    case 34: volumeTimes.attack = quanta(value(34, context), upTo: 8000, context, extra: 1)
    case 35, 39: volumeTimes.hold = keyedQuanta(35, 39, upTo: 5000, context)
    case 36, 37, 40:
      volumeTimes.decay = keyedQuanta(36, 40, upTo: 8000, context)
      volumeTimes.sustain = sustain(37, context)
    // Not under 16 ms, which would click.
    default: volumeTimes.release = quanta(max(releaseTime(context), -7200), upTo: 8000, context, extra: 1)
    }
  }

  /// In time cents. Where an exclusive class has ended the voice, 0.31 s: it is 30 dB down after a tenth of a second.
  @_noLocks
  private func releaseTime(_ context: VoiceContext) -> Double {
    guard isExcluded else { return value(38, context) }
    let offset = context.performance.pointee.generatorOffset(38, channel)
    return -2000 + Double(offset) + modulation(of: 38, context)
  }

  /// Ends it for another voice of its exclusive class.
  @_noLocks
  mutating func exclude(_ context: VoiceContext) {
    isExcluded = true
    update(38, context)
  }

  /// Takes over the key and the velocity of a note that is played legato.
  @_noLocks
  mutating func changeNote(_ context: VoiceContext) {
    var changes = SourceChanges()
    changes.insertNote()
    modulate(changes, context)
    update(27, context)
    update(28, context)
    update(35, context)
    update(36, context)
    setKeyPitch(context)
    setPitch(context)
  }

  /// A level 0 to 1 from a sustain in thousandths.
  @_noLocks
  private func sustain(_ generator: Int, _ context: VoiceContext) -> Double {
    min(max(1 - Double(Float(0.001)) * value(generator, context), 0), 1)
  }

  /// Time cents as frames, in whole quanta.
  @_noLocks
  private func quanta(_ timeCents: Double, upTo limit: Double, _ context: VoiceContext, extra: Int32 = 0) -> Int32 {
    let quantum = Int32(renderQuantum)
    let seconds = context.conversions.seconds(timeCents, upTo: limit)
    return (Int32(context.sampleRate * seconds / Double(quantum)) &+ extra) &* quantum
  }

  /// The same for a time that depends on the key, to the nearest quantum.
  @_noLocks
  private func keyedQuanta(
    _ generator: Int, _ keyed: Int, upTo limit: Double, _ context: VoiceContext
  ) -> Int32 {
    let key = sourceKey + detuning(sourceKey, context)
    let timeCents = value(generator, context) + value(keyed, context) * (60 - key)
    let quantum = Int32(renderQuantum)
    // The most negative number stands for no hold.
    if generator != 28, generator != 36, timeCents <= -32768 { return 0 }
    let seconds = context.conversions.seconds(timeCents, upTo: limit)
    return Int32(context.sampleRate * seconds / Double(quantum) + 0.5) &* quantum
  }
}
