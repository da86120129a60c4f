import DSP
import MIDI
import Realtime
import SoundFonts

/// What voices compute their parameters from. [audio thread]
struct VoiceContext: BitwiseCopyable {
  let performance: UnsafePointer<Performance>
  let conversions: Conversions
  let sampleRate: Double
  let gain: Double

  @_noLocks
  init(
    _ performance: UnsafePointer<Performance>, _ conversions: Conversions, sampleRate: Double, gain: Double
  ) {
    self.performance = performance
    self.conversions = conversions
    self.sampleRate = sampleRate
    self.gain = gain
  }
}

// Generators and modulators become the parameters of a voice, in FluidSynth's units and limits. Generators are meant by
// their numbers; source: SoundFont 2.04, section 8.1.

extension SampleVoice {
  /// Computes everything for a note that begins; false for a wave without two words.
  @_noLocks
  mutating func prepare(_ context: VoiceContext) -> Bool {
    switch Int32(zone.pointee.generators[54]) {
    case 1: loopMode = .always
    case 3: loopMode = .untilRelease
    default: loopMode = .none
    }
    setRoot(context)
    setKeyPitch(context)
    updateAll(context)
    lowestAttenuation = max(attenuation - reducibleAttenuation(context), 0)
    guard setSpan(context) else { return false }
    reader = WaveReader(wave)
    return true
  }

  /// Computes all parameters but the place in the wave and the pitch of the key.
  @_noLocks
  mutating func updateAll(_ context: VoiceContext) { update(Self.parameters, context) }

  /// One generator of each parameter, a bit each: 5 to 11, 13, 17, 21 to 28, 30, 33 to 36, 38, 48 and 52.
  private static var parameters: UInt64 {
    @_noLocks get { 0x0011_005E_5FE2_2FE0 }
  }

  /// Computes what follows sources that have changed.
  @_noLocks
  mutating func modulate(_ changes: SourceChanges, _ context: VoiceContext) {
    guard !changes.concernAll else { return updateAll(context) }
    var destinations: UInt64 = 0
    for index in 0..<zone.pointee.modulatorCount {
      let modulator = zone.pointee.modulators[index]
      guard changes.contain(modulator.source) || changes.contain(modulator.amountSource) else { continue }
      destinations |= 1 &<< UInt64(destination(of: index))
    }
    update(destinations, context)
  }

  /// The generator that a modulator moves, perhaps through others that it is linked to.
  @_noLocks
  private func destination(of index: Int) -> UInt8 {
    var index = index
    // A link leads to a later modulator.
    while zone.pointee.modulators[index].link >= 0 { index = Int(zone.pointee.modulators[index].link) }
    return zone.pointee.modulators[index].destination & 63
  }

  /// Computes the parameters that generators belong to, a bit each.
  @_noLocks
  private mutating func update(_ generators: UInt64, _ context: VoiceContext) {
    var left = generators
    while left != 0 {
      update(left.trailingZeroBitCount, context)
      left &= left &- 1
    }
  }

  @_noLocks
  private mutating func update(_ generator: Int, _ context: VoiceContext) {
    switch generator {
    case 0, 1, 2, 3, 4, 12, 45, 50: _ = setSpan(context)
    case 5: modulationToPitch = value(5, context, within: 12000)
    case 6: vibratoToPitch = value(6, context, within: 12000)
    case 7: envelopeToPitch = value(7, context, within: 12000)
    case 8: cutoff = value(8, context)
    case 9: setResonance(context)
    case 10: modulationToFilter = value(10, context, within: 12000)
    case 11: envelopeToFilter = value(11, context, within: 12000)
    case 13: modulationToVolume = value(13, context, within: 960)
    case 17, 60: setGain(context)
    case 48:
      lastAttenuation = attenuation
      attenuation = min(max(value(48, context), 0), 1440)
    case 51, 52, 59: setPitch(context)
    case 21...24: setLFO(generator, context)
    case 25...32: setModulationEnvelope(generator, context)
    case 33...40: setVolumeEnvelope(generator, context)
    default: break
    }
  }

  // MARK: - Values

  /// A generator with what modulators and SoundFont NRPNs add to it.
  @_noLocks
  private func value(_ generator: Int, _ context: VoiceContext) -> Double {
    let offset = context.performance.pointee.generatorOffset(generator, channel)
    return Double(zone.pointee.generators[generator]) + Double(offset) + modulation(of: generator, context)
  }

  @_noLocks
  private func value(_ generator: Int, _ context: VoiceContext, within limit: Double) -> Double {
    min(max(value(generator, context), -limit), limit)
  }

  /// What all modulators add to a generator.
  @_noLocks
  private func modulation(of generator: Int, _ context: VoiceContext) -> Double {
    var sum = 0.0
    var inputs: ModulatorInputs?
    for index in 0..<zone.pointee.modulatorCount {
      let modulator = zone.pointee.modulators + index
      guard Int(modulator.pointee.destination) == generator, modulator.pointee.link < 0 else { continue }
      // In an MPE zone pitch bends in exact semitones.
      if modulator.pointee.isPitchBend, context.performance.pointee.zones.contain(channel) { continue }
      let source = inputs ?? ModulatorInputs(self, context)
      inputs = source
      sum += output(index, source)
    }
    return sum
  }

  /// The output of a modulator, and of those that are linked to it.
  @_noLocks
  private func output(_ index: Int, _ inputs: ModulatorInputs) -> Double {
    let modulator = zone.pointee.modulators[index]
    guard modulator.source.rawValue & 0xFF == 127 else { return inputs.output(modulator, linked: 0) }
    var linked = 0.0
    // Links lead to later modulators, so this ends.
    for other in 0..<index where Int(zone.pointee.modulators[other].link) == index {
      linked += output(other, inputs)
    }
    return inputs.output(modulator, linked: linked)
  }

  /// By how much controllers could lower the attenuation, at most.
  @_noLocks
  private func reducibleAttenuation(_ context: VoiceContext) -> Double {
    let inputs = ModulatorInputs(self, context)
    var sum = 0.0
    for index in 0..<zone.pointee.modulatorCount {
      let modulator = zone.pointee.modulators[index]
      guard modulator.destination == 48, modulator.source.isLive || modulator.amountSource.isLive else { continue }
      let amount = Double(modulator.amount)
      let isSigned = modulator.source.rawValue & 0x200 != 0 || modulator.amountSource.rawValue & 0x200 != 0
      let least = isSigned || amount < 0 ? -abs(amount) : 0
      sum += max(output(index, inputs) - least, 0)
    }
    return sum
  }

  // MARK: - Parameters

  @_noLocks
  private mutating func setRoot(_ context: VoiceContext) {
    let sample = zone.pointee.sample
    let override = Double(zone.pointee.generators[58])
    let key = override > -1 ? override : Double(sample.rootKey)
    rootPitch = key * 100 - Double(sample.correction)
    let rate = sample.rate > 0 ? Double(sample.rate) : context.sampleRate
    rootFrequency = context.conversions.frequency(rootPitch) * (context.sampleRate / rate)
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
  private func detuning(_ key: Double, _ context: VoiceContext) -> Double {
    if context.performance.pointee.tuning.isEqualTempered { return 0 }
    let key = UInt8(truncatingIfNeeded: Int32(min(max(key, 0), 127)))
    return Double(context.performance.pointee.tunedPitch(key, channel)) - Double(key)
  }

  @_noLocks
  mutating func setPitch(_ context: VoiceContext) {
    let performance = context.performance
    let told =
      performance.pointee.zones.contain(channel)
      ? performance.pointee.pitchOffset(channel)
      : performance.pointee.channels[Int(channel)].parameters.tuning
    pitch =
      keyPitch + noteBend + 100 * Double(told) + 100 * value(51, context) + value(52, context) + value(59, context)
  }

  @_noLocks
  mutating func setGain(_ context: VoiceContext) {
    let sides = context.conversions.sides(pan: value(17, context), balance: value(60, context))
    gainTarget = sides * context.gain
  }

  @_noLocks
  private mutating func setResonance(_ context: VoiceContext) {
    // In decibels; 0 has no hump, and −3 dB at the cutoff.
    let decibels = min(max(value(9, context) / 10, 0), 96) - 3.01
    resonance = Float(exponential2(decibels / 20 * 3.321_928_094_887_362))
    filterFrequency = -1
  }

  @_noLocks
  private mutating func setLFO(_ generator: Int, _ context: VoiceContext) {
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
  private mutating func setModulationEnvelope(_ generator: Int, _ context: VoiceContext) {
    switch generator {
    case 25: modulationTimes.delay = quanta(value(25, context), upTo: 5000, context)
    case 26: modulationTimes.attack = quanta(value(26, context), upTo: 8000, context, extra: 1)
    case 27, 31: modulationTimes.hold = keyedQuanta(27, 31, upTo: 5000, context)
    case 28, 29, 32:
      modulationTimes.decay = keyedQuanta(28, 32, upTo: 8000, context)
      modulationTimes.sustain = sustain(29, context)
    default: modulationTimes.release = quanta(releaseTime(30, context), upTo: 8000, context, extra: 1)
    }
  }

  @_noLocks
  private mutating func setVolumeEnvelope(_ generator: Int, _ context: VoiceContext) {
    switch generator {
    case 33: volumeTimes.delay = quanta(value(33, context), upTo: 5000, context)
    case 34: volumeTimes.attack = quanta(value(34, context), upTo: 8000, context, extra: 1)
    case 35, 39: volumeTimes.hold = keyedQuanta(35, 39, upTo: 5000, context)
    case 36, 37, 40:
      volumeTimes.decay = keyedQuanta(36, 40, upTo: 8000, context)
      volumeTimes.sustain = sustain(37, context)
    // Not under 16 ms, which would click.
    default: volumeTimes.release = quanta(max(releaseTime(38, context), -7200), upTo: 8000, context, extra: 1)
    }
  }

  /// Where an exclusive class has ended the voice, 0.9 s.
  @_noLocks
  private func releaseTime(_ generator: Int, _ context: VoiceContext) -> Double {
    guard isExcluded else { return value(generator, context) }
    let offset = context.performance.pointee.generatorOffset(generator, channel)
    return -200 + Double(offset) + modulation(of: generator, context)
  }

  /// Ends it for another voice of its exclusive class.
  @_noLocks
  mutating func exclude(_ context: VoiceContext) {
    isExcluded = true
    update(30, context)
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

  /// Finds what of the wave is played; false for less than two words.
  @_noLocks
  private mutating func setSpan(_ context: VoiceContext) -> Bool {
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

  // MARK: - Portamento

  /// Begins a glide from a key to the voice's, which lasts so many milliseconds; one under way is added to it.
  @_noLocks
  mutating func beginGlide(from key: UInt8, milliseconds: Double, _ context: VoiceContext) {
    let quanta = Int32(context.sampleRate * 0.001 * milliseconds / Double(Int32(renderQuantum)) + 0.5)
    guard quanta > 0 else { return }
    glide += pitch(of: Double(key), context) - keyPitch
    glideStep = -glide / Double(quanta)
  }
}

extension ZoneModulator {
  /// Whether it bends pitch by the wheel and its range, as the default modulator does.
  fileprivate var isPitchBend: Bool {
    @_noLocks get { destination == 52 && source.rawValue & 0xFF == 14 && amountSource.rawValue & 0xFF == 16 }
  }
}

extension ModulatorSource {
  /// Whether it may change while a note sounds.
  fileprivate var isLive: Bool {
    @_noLocks get {
      if rawValue & 0x80 != 0 { return true }
      switch rawValue & 0x7F {
      case 10, 13, 14: return true
      default: return false
      }
    }
  }
}

/// Which sources of modulators have changed on a channel since its voices followed them last. [audio thread]
struct SourceChanges: BitwiseCopyable {
  /// Whether everything is to be computed again.
  var concernAll = false
  private var controllers = SIMD2<UInt64>(repeating: 0)
  /// Others than controllers, by their numbers.
  private var others: UInt32 = 0

  @_noLocks
  init() {}

  var isEmpty: Bool {
    @_noLocks get { !concernAll && others == 0 && controllers.x == 0 && controllers.y == 0 }
  }

  @_noLocks
  mutating func insert(controller: UInt8) {
    if controller < 64 {
      controllers.x |= 1 &<< UInt64(controller)
    } else {
      controllers.y |= 1 &<< UInt64(controller & 63)
    }
  }

  /// Key pressure (10), channel pressure (13), pitch bend (14) or its range (16).
  @_noLocks
  mutating func insert(source: UInt32) { others |= 1 &<< (source & 31) }

  /// Key and velocity.
  @_noLocks
  mutating func insertNote() { others |= 0b1100 }

  @_noLocks
  func contain(_ source: ModulatorSource) -> Bool {
    let index = UInt64(source.rawValue & 0x7F)
    guard source.rawValue & 0x80 != 0 else { return index < 32 && others & (1 &<< UInt32(index)) != 0 }
    return (index < 64 ? controllers.x : controllers.y) & (1 &<< (index & 63)) != 0
  }
}
