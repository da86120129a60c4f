import CALSA

/// Turns sequencer events into MIDI 1.0 bytes. The corresponding C type is `snd_midi_event_t`.
package struct EventDecoder: ~Copyable {
  /// A registered parameter is the longest: four control changes.
  private static let capacity = 12

  private let coder: OpaquePointer
  private let buffer: UnsafeMutablePointer<UInt8>

  package init() throws(SequencerError) {
    var created: OpaquePointer?
    let code = snd_midi_event_new(0, &created)
    guard code >= 0, let created else { throw SequencerError("preparing to decode MIDI", code: code) }
    snd_midi_event_no_status(created, 1)
    coder = created
    buffer = .allocate(capacity: Self.capacity)
  }

  deinit {
    snd_midi_event_free(coder)
    buffer.deallocate()
  }

  /// Calls `body` with the event's bytes: whole messages, each with its status byte, or a piece of a System Exclusive
  /// message; none if the event has no place in MIDI 1.0. They are valid during the call.
  package func withBytes<Result>(
    of event: UnsafePointer<snd_seq_event_t>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    if event.pointee.type == SND_SEQ_EVENT_SYSEX.rawValue {
      var count: UInt32 = 0
      let start = calsa_event_bytes(event, &count)
      return body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
    }
    let count = snd_midi_event_decode(coder, buffer, Self.capacity, event)
    return body(UnsafeBufferPointer(start: buffer, count: max(0, count)))
  }
}
