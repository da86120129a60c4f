import SynthMIDI

extension Timeline {
  /// The events as an array; their payloads are valid no longer than the timeline.
  var copiedEvents: [MIDIEvent] { withExtendedLifetime(self) { Array(events) } }
}
