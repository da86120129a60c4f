import CSynthFluidSynth
import SynthInstruments
import SynthMIDI

/// MPE for FluidSynth, which knows no zones.
///
/// Messages of the master go to all members; bends and tunings of both go to a member as one bend, of 50 semitones at
/// most: the initial ranges of MPE, 48 and 2, together. A drum channel plays a melodic preset while it is a member.
/// [audio thread]
struct SamplerZones {
  /// Semitones FluidSynth bends a zone's channels by.
  private static var bendRange: Int32 {
    @_noLocks get { 50 }
  }

  @_noLocks
  private func bendRange(of channel: UInt8) -> Int32 { zones.contain(channel) ? Self.bendRange : 2 }

  /// What FluidSynth is set up for.
  private var zones = MPEZones()

  @_noLocks
  init() {}

  /// Takes over a changed set of zones.
  @_noLocks
  mutating func follow(_ performance: borrowing Performance, _ sampler: inout Sampler) {
    let new = performance.zones
    guard new.lowerCount != zones.lowerCount || new.upperCount != zones.upperCount else { return }
    let old = zones
    zones = new
    for channel in UInt8(0)..<16 where old.contain(channel) || new.contain(channel) {
      fluid_synth_all_sounds_off(sampler.synth, Int32(channel))
      fluid_synth_pitch_wheel_sens(sampler.synth, Int32(channel), bendRange(of: channel))
      fluid_synth_pitch_bend(sampler.synth, Int32(channel), 8192)
      sampler.select(performance.presetRequest(channel), Int32(channel))
    }
  }

  /// Begins a zone that was set up or given up, perhaps with as many members as before: notes end, and controllers are
  /// reset.
  ///
  /// - Parameter channels: those of the zone, and those it had, a bit each.
  @_noLocks
  func begin(
    _ channels: UInt16, _ master: UInt8, _ performance: borrowing Performance, _ sampler: inout Sampler
  ) {
    for channel in UInt8(0)..<16 where channels & (1 &<< UInt16(channel)) != 0 {
      fluid_synth_all_sounds_off(sampler.synth, Int32(channel))
    }
    playInScope(.controlChange(channel: master, .resetAllControllers, value7: 0), performance, &sampler)
  }

  /// Plays a message of a zone's channel, which the performance has followed already.
  @_noLocks
  func play(_ message: MIDIMessage, _ performance: borrowing Performance, _ sampler: inout Sampler) {
    switch message.kind {
    case .noteOn, .noteOff, .polyPressure: sampler.play(message, performance)
    case .pitchBend, .registeredController, .assignableController: break
    case .controlChange where isParameter(message.controller): break
    default: playInScope(message, performance, &sampler)
    }
    for channel in UInt8(0)..<16 where isInScope(channel, of: message.channel) { bend(channel, performance, &sampler) }
  }

  @_noLocks
  private func playInScope(
    _ message: MIDIMessage, _ performance: borrowing Performance, _ sampler: inout Sampler
  ) {
    for channel in UInt8(0)..<16 where isInScope(channel, of: message.channel) {
      sampler.play(message.onChannel(channel), performance)
      // Reset All Controllers may reset the range.
      if message.kind == .controlChange, message.controller == .resetAllControllers {
        fluid_synth_pitch_wheel_sens(sampler.synth, Int32(channel), bendRange(of: channel))
      }
    }
  }

  /// Whether a message on a channel is for another one too: those of a master are for all members.
  @_noLocks
  private func isInScope(_ channel: UInt8, of sender: UInt8) -> Bool {
    zones.scope(of: sender) & (1 &<< UInt16(channel)) != 0
  }

  @_noLocks
  private func isParameter(_ controller: Controller) -> Bool {
    switch controller {
    case .dataEntry, .dataEntryLSB, .dataIncrement, .dataDecrement: true
    case .registeredParameter, .registeredParameterLSB, .assignableParameter, .assignableParameterLSB: true
    default: false
    }
  }

  /// Bends a channel by its own bend and tuning and its master's.
  @_noLocks
  private func bend(_ channel: UInt8, _ performance: borrowing Performance, _ sampler: inout Sampler) {
    let bend = 8192 + performance.pitchOffset(channel) / Float(Self.bendRange) * 8192
    // Half a step is added for the nearest; the figure is never negative.
    fluid_synth_pitch_bend(sampler.synth, Int32(channel), Int32(min(max(bend + 0.5, 0), 16383)))
  }
}
