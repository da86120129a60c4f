import CSynthFluidSynth
import SynthInstruments
import SynthMIDI

/// Portamento for FluidSynth, which knows neither the times of GS and XG (2.3) nor whether a channel was sent a fine
/// one (2.6): while it begins a note that glides, controllers 5 and 37 have the time that the performance has for it,
/// in milliseconds of 14 bits. [audio thread]
struct SamplerGlides: ~Copyable {
  private var keys = ChannelKeys()
  /// The channel whose controllers are to be set back.
  private var changed: Int32?

  init() {}

  /// Before FluidSynth plays an event.
  @_noLocks
  mutating func prepare(_ event: EngineEvent, _ synth: OpaquePointer) {
    let message = event.message
    switch event.action {
    case .noteOn(let glideSource):
      let note = MonoNotes.Note(
        key: message.note, velocity7: message.velocity7, velocity: 0, number: event.number)
      let start = keys.begin(note, event, glideSource)
      guard start.glideSource != ChannelState.noKey else { return }
      setTime(from: start.glideSource, to: message.note, event, synth)
      guard event.performance.pointee.glideTime(from: start.glideSource, to: message.note, message.channel) > 0 else {
        return
      }
      // FluidSynth 2.3 forgets a key that went up; by Portamento Control it glides from that, too.
      if start.isDetached {
        fluid_synth_cc(
          synth, Int32(message.channel), Int32(Controller.portamentoControl.rawValue), Int32(start.glideSource))
      }
    case .noteOff:
      switch keys.end(event) {
      case .back(let note): setTime(from: message.note, to: note.key, event, synth)
      case .unknown, .last, .none: break
      }
    default: keys.follow(event)
    }
  }

  /// When FluidSynth has played it.
  @_noLocks
  mutating func finish(_ event: EngineEvent, _ synth: OpaquePointer) {
    guard let channel = changed else { return }
    changed = nil
    let performance = event.performance
    set(
      coarse: performance.pointee.controller(5, event.message.channel) >> 25,
      fine: performance.pointee.controller(37, event.message.channel) >> 25, channel, synth)
  }

  @_noLocks
  mutating func forget() { keys.forget(.max) }

  @_noLocks
  private mutating func setTime(from first: UInt8, to last: UInt8, _ event: EngineEvent, _ synth: OpaquePointer) {
    let milliseconds = event.performance.pointee.glideTime(from: first, to: last, event.message.channel)
    let time = UInt32(min(milliseconds, 16383))
    changed = Int32(event.message.channel)
    set(coarse: time >> 7, fine: time & 127, Int32(event.message.channel), synth)
  }

  /// The fine one first: FluidSynth 2.6 counts in 14 bits once it has come.
  @_noLocks
  private func set(coarse: UInt32, fine: UInt32, _ channel: Int32, _ synth: OpaquePointer) {
    fluid_synth_cc(synth, channel, Int32(Controller.portamentoTimeLSB.rawValue), Int32(fine))
    fluid_synth_cc(synth, channel, Int32(Controller.portamentoTime.rawValue), Int32(coarse))
  }
}
