extension ZoneModulator {
  /// What every zone has unless it says otherwise: those of the standard, then those of the sound controllers.
  public static let defaults = standardDefaults + controllerDefaults

  /// The places of the sound controllers' in the list of every zone. While all of them are in their middle and the soft
  /// pedal is up, these move nothing, so that voices need not look at them.
  @inlinable package static var controllerPlaces: Range<Int> {
    @_noLocks get { 11..<21 }
  }

  /// The ten of section 8.4 and FluidSynth's balance, in its order.
  ///
  /// The second has FluidSynth's amount source, a positive switch, with which fonts turn it off; it computes no output
  /// for it. What pitch bend moves, "initial pitch", stands for fine tuning.
  private static let standardDefaults: [ZoneModulator] = [
    ZoneModulator(
      source: ModulatorSource(ModulatorSource.velocityIndex, curve: .concave, isNegative: true),
      destination: .attenuation, amount: 960),
    ZoneModulator(
      source: ModulatorSource(ModulatorSource.velocityIndex, isNegative: true),
      amountSource: ModulatorSource(ModulatorSource.velocityIndex, curve: .switch),
      destination: .filterCutoff, amount: -2400),
    ZoneModulator(
      source: ModulatorSource(ModulatorSource.channelPressureIndex), destination: .vibratoToPitch, amount: 50),
    ZoneModulator(source: ModulatorSource(1, isController: true), destination: .vibratoToPitch, amount: 50),
    ZoneModulator(
      source: ModulatorSource(7, isController: true, curve: .concave, isNegative: true), destination: .attenuation,
      amount: 960),
    ZoneModulator(source: ModulatorSource(10, isController: true, isBipolar: true), destination: .pan, amount: 500),
    ZoneModulator(
      source: ModulatorSource(11, isController: true, curve: .concave, isNegative: true), destination: .attenuation,
      amount: 960),
    ZoneModulator(source: ModulatorSource(91, isController: true), destination: .reverbSend, amount: 200),
    ZoneModulator(source: ModulatorSource(93, isController: true), destination: .chorusSend, amount: 200),
    ZoneModulator(
      source: ModulatorSource(ModulatorSource.pitchBendIndex, isBipolar: true),
      amountSource: ModulatorSource(ModulatorSource.pitchBendRangeIndex), destination: .fineTuning, amount: 12700),
    ZoneModulator(
      source: ModulatorSource(8, isController: true, curve: .concave, isBipolar: true), destination: .balance,
      amount: 960),
  ]

  /// What the sound controllers of General MIDI 2, GS and XG (71 to 78) and the soft pedal move: nothing at 64 and with
  /// the pedal up.
  ///
  /// The standards leave the amounts open. These, at 0 and 127, are: resonance 20 dB, times a tenth to ten times as
  /// long, cutoff four octaves, vibrato two octaves slower or faster, up to 50 cents deep, delayed up to two seconds.
  /// The soft pedal takes 3 dB and half an octave.
  public static let controllerDefaults: [ZoneModulator] = [
    soundController(71, .filterQ, 200),
    soundController(72, .volumeRelease, 3986),
    soundController(73, .volumeAttack, 3986),
    soundController(74, .filterCutoff, 4800),
    soundController(75, .volumeDecay, 3986),
    soundController(76, .vibratoFrequency, 2400),
    // The switch keeps values below the middle from turning the LFO over.
    ZoneModulator(
      source: ModulatorSource(77, isController: true, curve: .switch),
      amountSource: ModulatorSource(77, isController: true, isBipolar: true), destination: .vibratoToPitch, amount: 50),
    // Zones begin at −12000 time cents, a millisecond.
    soundController(78, .vibratoDelay, 13200),
    ZoneModulator(
      source: ModulatorSource(67, isController: true, curve: .switch), destination: .attenuation, amount: 30),
    ZoneModulator(
      source: ModulatorSource(67, isController: true, curve: .switch), destination: .filterCutoff, amount: -600),
  ]

  private static func soundController(_ number: UInt8, _ destination: Generator, _ amount: Float) -> ZoneModulator {
    ZoneModulator(
      source: ModulatorSource(number, isController: true, isBipolar: true), destination: destination, amount: amount)
  }

  /// FluidSynth's voices have room for this many.
  static let mostOfZone = 64
  /// The sound controllers' have room beside them.
  static let mostOfVoice = mostOfZone + controllerDefaults.count
}
