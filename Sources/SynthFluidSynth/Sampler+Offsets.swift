import CSynthFluidSynth
import SynthInstruments
import SynthMIDI

// What FluidSynth's channels are given for bend ranges, tunings and the controllers' routes, for all of which it has
// generators of a channel. Only what differs is sent.

extension Sampler {
  /// Follows an event that FluidSynth and the performance have played.
  @_noLocks
  func followOffsets(_ event: EngineEvent, _ performance: borrowing Performance) {
    let message = event.message
    var channels: UInt16 = 0
    switch message.kind {
    case .pitchBend, .registeredController: channels = performance.zones.scope(of: message.channel)
    case .channelPressure, .polyPressure:
      if performance.hasRoutes(message.channel) { channels = performance.zones.scope(of: message.channel) }
    case .controlChange:
      // FluidSynth forgets a channel's generators then, but not those of its voices.
      if message.controller == .resetAllControllers {
        let scope = performance.zones.scope(of: message.channel)
        for channel in 0..<Int32(16) where scope & (1 &<< UInt16(channel)) != 0 {
          fluid_synth_set_gen(synth, channel, Int32(GEN_FINETUNE.rawValue), 0)
        }
      }
      if performance.hasRoutes(message.channel) || movesOffsets(message.controller) {
        channels = performance.zones.scope(of: message.channel)
      }
    case .systemExclusive: if case .part(let change) = event.systemExclusive { channels = change.scope }
    default: break
    }
    for channel in UInt8(0)..<16 where channels & (1 &<< UInt16(channel)) != 0 { setOffsets(channel, performance) }
  }

  @_noLocks
  private func movesOffsets(_ controller: Controller) -> Bool {
    switch controller {
    case .dataEntry, .dataEntryLSB, .dataIncrement, .dataDecrement, .resetAllControllers: true
    default: false
    }
  }

  /// Gives a channel its bend range, its tuning and what its controllers move.
  @_noLocks
  func setOffsets(_ channel: UInt8, _ performance: borrowing Performance) {
    set(GEN_VIBLFOTOPITCH, channel, performance)
    set(GEN_FILTERFC, channel, performance)
    set(GEN_MODLFOTOFILTERFC, channel, performance)
    set(GEN_MODLFOTOVOL, channel, performance)
    set(GEN_ATTENUATION, channel, performance)
    // The channels of a zone are bent and tuned by the wheel alone.
    let isInZone = performance.zones.contain(channel)
    if !isInZone { setBendRange(performance.wholeBendRange(channel), Int32(channel)) }
    let fine = isInZone ? 0 : fineTuning(channel, performance)
    set(GEN_FINETUNE, to: performance.generatorOffset(Int(GEN_FINETUNE.rawValue), channel) + fine, channel)
  }

  @_noLocks
  private func setBendRange(_ semitones: Int32, _ channel: Int32) {
    var present: Int32 = 0
    fluid_synth_get_pitch_wheel_sens(synth, channel, &present)
    if present != semitones { fluid_synth_pitch_wheel_sens(synth, channel, semitones) }
  }

  /// In cents: the tuning, and what FluidSynth's bend lacks: its wheel has 8192 steps on both sides, of which MIDI uses
  /// 8191 upwards, and its range has no cents.
  @_noLocks
  private func fineTuning(_ channel: UInt8, _ performance: borrowing Performance) -> Float {
    var (bend, range): (Int32, Int32) = (0, 0)
    fluid_synth_get_pitch_bend(synth, Int32(channel), &bend)
    fluid_synth_get_pitch_wheel_sens(synth, Int32(channel), &range)
    let bent = Double(range) * Double(bend &- 8192) / 8192
    return Float(100 * (Double(performance.pitchOffset(channel)) - bent))
  }

  @_noLocks
  private func set(_ generator: fluid_gen_type, _ channel: UInt8, _ performance: borrowing Performance) {
    set(generator, to: performance.generatorOffset(Int(generator.rawValue), channel), channel)
  }

  @_noLocks
  private func set(_ generator: fluid_gen_type, to value: Float, _ channel: UInt8) {
    let (channel, generator) = (Int32(channel), Int32(generator.rawValue))
    if fluid_synth_get_gen(synth, channel, generator) != value { fluid_synth_set_gen(synth, channel, generator, value) }
  }
}
