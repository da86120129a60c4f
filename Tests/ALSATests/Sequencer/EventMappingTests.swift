import CSynthALSA
import Glibc
import SynthALSA
import SynthMIDI
import Testing

@Suite("A sequencer event becomes MIDI messages")
struct EventMappingTests {
  private func event(
    _ type: snd_seq_event_type, _ fill: (inout snd_seq_event_t) -> Void = { _ in }
  ) -> snd_seq_event_t {
    var event = snd_seq_event_t()
    event.type = snd_seq_event_type_t(truncatingIfNeeded: type.rawValue)
    fill(&event)
    return event
  }

  private func messages(_ event: snd_seq_event_t) -> [MIDIMessage] {
    var messages: [MIDIMessage] = []
    EventMapping.forEachMessage(of: event) { messages.append($0) }
    return messages
  }

  private func control(_ channel: UInt8, _ parameter: UInt32, _ value: Int32) -> (inout snd_seq_event_t) -> Void {
    { event in
      event.data.control.channel = channel
      event.data.control.param = parameter
      event.data.control.value = value
    }
  }

  @Test("of its kind, channel and values")
  func channelMessages() {
    let note: (inout snd_seq_event_t) -> Void = { event in
      event.data.note.channel = 9
      event.data.note.note = 60
      event.data.note.velocity = 100
    }
    #expect(messages(event(SND_SEQ_EVENT_NOTEON, note)) == [.noteOn(channel: 9, note: 60, velocity7: 100)])
    #expect(messages(event(SND_SEQ_EVENT_NOTEOFF, note)) == [.noteOff(channel: 9, note: 60, velocity7: 100)])
    #expect(messages(event(SND_SEQ_EVENT_KEYPRESS, note)) == [.polyPressure(channel: 9, note: 60, value7: 100)])
    #expect(
      messages(event(SND_SEQ_EVENT_CONTROLLER, control(3, 64, 127)))
        == [.controlChange(channel: 3, .sustain, value7: 127)])
    #expect(messages(event(SND_SEQ_EVENT_PGMCHANGE, control(3, 0, 5))) == [.programChange(channel: 3, program: 5)])
    #expect(messages(event(SND_SEQ_EVENT_CHANPRESS, control(3, 0, 6))) == [.channelPressure(channel: 3, value7: 6)])
  }

  @Test(
    "with all 14 bits of a pitch bend, which ALSA counts from the centre",
    arguments: [(-8192, 0), (0, 8192), (1, 8193), (8191, 16383)])
  func pitchBend(value: Int32, bend: UInt16) {
    #expect(
      messages(event(SND_SEQ_EVENT_PITCHBEND, control(0, 0, value))) == [.pitchBend(channel: 0, bend14: bend)])
  }

  @Test("several of them where MIDI 1.0 needs several controllers")
  func wideControllers() {
    #expect(
      messages(event(SND_SEQ_EVENT_CONTROL14, control(1, 7, 130))) == [
        .controlChange(channel: 1, .volume, value7: 1),
        .controlChange(channel: 1, Controller(rawValue: 39), value7: 2),
      ])
    #expect(
      messages(event(SND_SEQ_EVENT_REGPARAM, control(1, 5, 2 << 7 + 3))) == [
        .controlChange(channel: 1, .registeredParameter, value7: 0),
        .controlChange(channel: 1, .registeredParameterLSB, value7: 5),
        .controlChange(channel: 1, .dataEntry, value7: UInt8((2 << 7 + 3) >> 7 & 0x7F)),
        .controlChange(channel: 1, .dataEntryLSB, value7: UInt8((2 << 7 + 3) & 0x7F)),
      ])
  }

  /// Random data in the fields that alsa-lib reads, also beyond their ranges.
  private static func fill(_ event: inout snd_seq_event_t, _ random: inout SystemRandomNumberGenerator) {
    withUnsafeMutableBytes(of: &event.data) {
      for index in $0.indices { $0[index] = .random(in: 0...255, using: &random) }
    }
    // As often as not within range: an unlimited parameter is hardly ever below 32.
    guard Bool.random(using: &random) else { return }
    event.data.control.param = .random(in: 0...16383, using: &random) >> UInt32.random(in: 0...9, using: &random)
    event.data.control.value = .random(in: -8192...16383, using: &random)
  }

  @Test(
    "the same that alsa-lib's byte decoder makes of it, for every type but System Exclusive",
    arguments: (0...255).filter { $0 != SND_SEQ_EVENT_SYSEX.rawValue })
  func sameAsDecoder(type: UInt32) throws {
    var created: OpaquePointer?
    try #require(snd_midi_event_new(0, &created) >= 0)
    let decoder = try #require(created)
    defer { snd_midi_event_free(decoder) }
    snd_midi_event_no_status(decoder, 1)
    var random = SystemRandomNumberGenerator()
    var reader = MIDIByteReader()
    for _ in 0..<500 {
      var event = event(snd_seq_event_type(type)) { Self.fill(&$0, &random) }
      var bytes = [UInt8](repeating: 0, count: 12)
      let count = snd_midi_event_decode(decoder, &bytes, bytes.count, &event)
      var decoded: [MIDISourceEvent.Content] = []
      reader.read(bytes.prefix(max(0, count))) { decoded.append($0) }
      let isReset = type == SND_SEQ_EVENT_RESET.rawValue
      let clock = EventMapping.clock(of: event).map { MIDISourceEvent.Content.clock($0) }
      #expect(decoded == (isReset ? [.reset] : clock.map { [$0] } ?? messages(event).map { .message($0) }))
      // A status byte from F8 on may stand within System Exclusive; FF, the reset, ends it.
      #expect(EventMapping.isRealTime(event) == (count == 1 && bytes[0] >= 0xF8 && bytes[0] != 0xFF))
    }
  }
}

@Suite("A sequencer error is one line that says what to do")
struct SequencerErrorTests {
  @Test(arguments: [(-ENOENT, "modprobe snd-seq"), (-EACCES, "group audio"), (-EAGAIN, "aconnect -l")])
  func line(code: Int32, remedy: String) {
    let text = "\(SequencerError("opening the MIDI sequencer", code: code))"
    #expect(text.hasPrefix("opening the MIDI sequencer: "))
    #expect(text.contains(remedy))
    #expect(!text.contains("\n"))
  }
}
