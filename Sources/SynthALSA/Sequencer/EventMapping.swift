import CSynthALSA
import SynthMIDI

/// What a sequencer event is to a synthesizer: what alsa-lib's byte decoder makes of it, without the way through bytes.
/// The corresponding C function is `snd_midi_event_decode`.
package enum EventMapping {
  /// Calls `take` with the channel messages of an event: several where MIDI 1.0 needs several controllers, none for
  /// events of other kinds.
  package static func forEachMessage(of event: snd_seq_event_t, _ take: (MIDIMessage) -> Void) {
    let note = event.data.note
    let control = event.data.control
    let value = UInt32(bitPattern: control.value)
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_NOTEON: take(.noteOn(channel: note.channel, note: note.note, velocity7: note.velocity))
    case SND_SEQ_EVENT_NOTEOFF: take(.noteOff(channel: note.channel, note: note.note, velocity7: note.velocity))
    case SND_SEQ_EVENT_KEYPRESS: take(.polyPressure(channel: note.channel, note: note.note, value7: note.velocity))
    case SND_SEQ_EVENT_CONTROLLER: change(control.channel, control.param, value, take)
    case SND_SEQ_EVENT_PGMCHANGE: take(.programChange(channel: control.channel, program: UInt8(value & 0x7F)))
    case SND_SEQ_EVENT_CHANPRESS: take(.channelPressure(channel: control.channel, value7: UInt8(value & 0x7F)))
    case SND_SEQ_EVENT_PITCHBEND:
      // ALSA counts from the centre.
      take(.pitchBend(channel: control.channel, bend14: UInt16((value &+ 8192) & 0x3FFF)))
    case SND_SEQ_EVENT_CONTROL14 where control.param < 32:
      change(control.channel, control.param, value >> 7, take)
      change(control.channel, control.param + 32, value, take)
    case SND_SEQ_EVENT_CONTROL14: change(control.channel, control.param, value, take)
    case SND_SEQ_EVENT_REGPARAM: set(.registeredParameter, .registeredParameterLSB, control, value, take)
    case SND_SEQ_EVENT_NONREGPARAM: set(.assignableParameter, .assignableParameterLSB, control, value, take)
    default: break
    }
  }

  /// A parameter selected by two controllers, then set by data entry.
  private static func set(
    _ msb: Controller, _ lsb: Controller, _ control: snd_seq_ev_ctrl_t, _ value: UInt32, _ take: (MIDIMessage) -> Void
  ) {
    change(control.channel, UInt32(msb.rawValue), control.param >> 7, take)
    change(control.channel, UInt32(lsb.rawValue), control.param, take)
    change(control.channel, UInt32(Controller.dataEntry.rawValue), value >> 7, take)
    change(control.channel, UInt32(Controller.dataEntryLSB.rawValue), value, take)
  }

  private static func change(
    _ channel: UInt8, _ controller: UInt32, _ value: UInt32, _ take: (MIDIMessage) -> Void
  ) {
    let controller = Controller(rawValue: UInt8(controller & 0x7F))
    take(.controlChange(channel: channel, controller, value7: UInt8(value & 0x7F)))
  }

  /// The clock or transport message that an event is.
  package static func clock(of event: snd_seq_event_t) -> MIDIClockMessage? {
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_CLOCK: .clock
    case SND_SEQ_EVENT_START: .start
    case SND_SEQ_EVENT_CONTINUE: .continue
    case SND_SEQ_EVENT_STOP: .stop
    case SND_SEQ_EVENT_SONGPOS: .songPosition(UInt16(truncatingIfNeeded: event.data.control.value) & 0x3FFF)
    default: nil
    }
  }

  /// Whether an event may stand within the pieces of a System Exclusive message: clock, start, stop, sensing and the
  /// like.
  package static func isRealTime(_ event: snd_seq_event_t) -> Bool {
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_CLOCK, SND_SEQ_EVENT_START, SND_SEQ_EVENT_CONTINUE, SND_SEQ_EVENT_STOP, SND_SEQ_EVENT_SENSING:
      true
    default: false
    }
  }
}
