extension ZoneModulator {
  /// What every zone has unless it says otherwise: the ten of section 8.4 and FluidSynth's balance, in its order.
  ///
  /// The second has FluidSynth's amount source, a positive switch, with which fonts turn it off; it computes no output
  /// for it. What pitch bend moves, "initial pitch", stands for fine tuning.
  public static let defaults: [ZoneModulator] = [
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

  /// FluidSynth's voices have room for this many.
  static let mostOfZone = 64
}
