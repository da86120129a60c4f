import SynthDSP
import SynthMIDI
import SynthRealtime
import SynthSoundFonts

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
    highestAmplitude = context.conversions.amplitude(max(attenuation - reducibleAttenuation(context), 0))
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
    let places = ZoneModulator.controllerPlaces
    for index in 0..<zone.pointee.modulatorCount {
      if !changes.concernSoundControllers, places.contains(index) { continue }
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
  mutating func update(_ generator: Int, _ context: VoiceContext) {
    switch generator {
    case 0, 1, 2, 3, 4, 12, 45, 50: _ = setSpan(context)
    case 5: modulationToPitch = value(5, context, within: 12000)
    case 6: vibratoToPitch = value(6, context, within: 12000)
    case 7: envelopeToPitch = value(7, context, within: 12000)
    case 8: cutoff = min(max(1500, value(8, context)), 13500)
    case 9: setResonance(context)
    case 10: modulationToFilter = value(10, context, within: 12000)
    case 11: envelopeToFilter = value(11, context, within: 12000)
    case 13: modulationToVolume = value(13, context, within: 960)
    case 17, 60: setGain(context)
    case 48:
      lastAttenuation = attenuation
      attenuation = min(max(value(48, context), 0), 1440)
      amplitude = context.conversions.amplitude(attenuation)
    case 51, 52, 59: setPitch(context)
    case 21...24: setLFO(generator, context)
    case 25...32: setModulationEnvelope(generator, context)
    case 33...40: setVolumeEnvelope(generator, context)
    default: break
    }
  }

  // MARK: - Values

  /// A generator with what its drum setup, modulators and SoundFont NRPNs add to it.
  @_noLocks
  func value(_ generator: Int, _ context: VoiceContext) -> Double {
    let offset = context.performance.pointee.generatorOffset(generator, channel)
    return Double(own(generator)) + Double(offset) + modulation(of: generator, context)
  }

  @_noLocks
  private func own(_ generator: Int) -> Float {
    let value = zone.pointee.generators[generator]
    if drum.isPlain { return value }
    let isLooped =
      switch loopMode {
      case .none: false
      case .always, .untilRelease: true
      }
    return drum.value(of: generator, zone: value, isLooped: isLooped)
  }

  @_noLocks
  private func value(_ generator: Int, _ context: VoiceContext, within limit: Double) -> Double {
    min(max(value(generator, context), -limit), limit)
  }

  /// What all modulators add to a generator.
  @_noLocks
  func modulation(of generator: Int, _ context: VoiceContext) -> Double {
    let isShaped = context.performance.pointee.isShaped(channel)
    let modulated = zone.pointee.modulated.always | (isShaped ? zone.pointee.modulated.byControllers : 0)
    guard modulated & (1 &<< UInt64(generator)) != 0 else { return 0 }
    var sum = 0.0
    var inputs: ModulatorInputs?
    for index in 0..<zone.pointee.modulatorCount {
      if !isShaped, ZoneModulator.controllerPlaces.contains(index) { continue }
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
  mutating func setGain(_ context: VoiceContext) {
    let sides = context.conversions.sides(pan: value(17, context), balance: value(60, context))
    gainTarget = sides * context.gain
  }

  @_noLocks
  private mutating func setResonance(_ context: VoiceContext) {
    // In decibels; 0 has no hump, and −3 dB at the cutoff.
    let decibels = min(max(value(9, context) / 10, 0), 96) - 3.01
    resonance = Float(exponential2(decibels / 20 * 3.321_928_094_887_362))
    filterFrequency = .nan
  }
}

extension ZoneModulator {
  /// Whether it bends pitch by the wheel and its range, as the default modulator does.
  var isPitchBend: Bool {
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
