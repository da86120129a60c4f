/// What a sequencer tells. [sequencer thread]
public enum SequencerEvent {
  /// MIDI 1.0 bytes, valid during the call: whole messages, each with its status byte, or a piece of a System Exclusive
  /// message. `hostTime` is when the kernel had them, on `HostClock`.
  case bytes(UnsafeBufferPointer<UInt8>, from: SequencerAddress, hostTime: UInt64)
  /// A source was connected, by us or by others.
  case joined(SequencerPort)
  /// A source was disconnected: unplugged, ended, or unsubscribed.
  case departed(SequencerPort)
  /// A source that promised to send Active Sensing messages has stopped to.
  case fellSilent(SequencerAddress)
  /// The kernel's queue ran over, or the sequencer has failed: note offs may be among what was lost.
  case eventsLost
}
