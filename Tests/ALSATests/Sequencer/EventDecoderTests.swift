import ALSA
import CALSA
import Glibc
import Testing

@Suite("A sequencer event becomes MIDI bytes")
struct EventDecoderTests {
  /// The bytes of an event of a type, its data set by `fill`.
  private func bytes(
    _ type: snd_seq_event_type, _ fill: (inout snd_seq_event_t) -> Void = { _ in }
  ) throws -> [UInt8] {
    var event = snd_seq_event_t()
    event.type = snd_seq_event_type_t(truncatingIfNeeded: type.rawValue)
    fill(&event)
    return try EventDecoder().withBytes(of: &event) { Array($0) }
  }

  private func control(_ channel: UInt8, _ parameter: UInt32, _ value: Int32) -> (inout snd_seq_event_t) -> Void {
    { event in
      event.data.control.channel = channel
      event.data.control.param = parameter
      event.data.control.value = value
    }
  }

  @Test("of its kind, channel and values")
  func channelMessages() throws {
    let note: (inout snd_seq_event_t) -> Void = { event in
      event.data.note.channel = 9
      event.data.note.note = 60
      event.data.note.velocity = 100
    }
    #expect(try bytes(SND_SEQ_EVENT_NOTEON, note) == [0x99, 60, 100])
    #expect(try bytes(SND_SEQ_EVENT_NOTEOFF, note) == [0x89, 60, 100])
    #expect(try bytes(SND_SEQ_EVENT_KEYPRESS, note) == [0xA9, 60, 100])
    #expect(try bytes(SND_SEQ_EVENT_CONTROLLER, control(3, 64, 127)) == [0xB3, 64, 127])
    #expect(try bytes(SND_SEQ_EVENT_PGMCHANGE, control(3, 0, 5)) == [0xC3, 5])
    #expect(try bytes(SND_SEQ_EVENT_CHANPRESS, control(3, 0, 6)) == [0xD3, 6])
  }

  @Test("with all 14 bits of a pitch bend, which ALSA counts from the centre")
  func pitchBend() throws {
    #expect(try bytes(SND_SEQ_EVENT_PITCHBEND, control(0, 0, -8192)) == [0xE0, 0, 0])
    #expect(try bytes(SND_SEQ_EVENT_PITCHBEND, control(0, 0, 0)) == [0xE0, 0, 64])
    #expect(try bytes(SND_SEQ_EVENT_PITCHBEND, control(0, 0, 1)) == [0xE0, 1, 64])
    #expect(try bytes(SND_SEQ_EVENT_PITCHBEND, control(0, 0, 8191)) == [0xE0, 127, 127])
  }

  @Test("several of them, each with its status, where MIDI 1.0 needs several")
  func wideControllers() throws {
    #expect(try bytes(SND_SEQ_EVENT_CONTROL14, control(1, 7, 130)) == [0xB1, 7, 1, 0xB1, 39, 2])
    let parameter = try bytes(SND_SEQ_EVENT_REGPARAM, control(1, 0, 2 << 7))
    #expect(parameter == [0xB1, 101, 0, 0xB1, 100, 0, 0xB1, 6, 2, 0xB1, 38, 0])
  }

  @Test("of the system: reset, and pieces of System Exclusive as they are")
  func system() throws {
    #expect(try bytes(SND_SEQ_EVENT_RESET) == [0xFF])
    var piece: [UInt8] = [0xF0, 0x7E, 0x7F]
    let copied = try piece.withUnsafeMutableBytes { piece in
      try bytes(SND_SEQ_EVENT_SYSEX) { event in
        event.data.ext.len = UInt32(piece.count)
        event.data.ext.ptr = piece.baseAddress
      }
    }
    #expect(copied == [0xF0, 0x7E, 0x7F])
  }

  @Test("or none, for what MIDI 1.0 does not have")
  func others() throws {
    #expect(try bytes(SND_SEQ_EVENT_USR0).isEmpty)
    #expect(try bytes(SND_SEQ_EVENT_ECHO).isEmpty)
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
