import SynthMIDI
import Testing

@Suite("MIDI messages")
struct MIDIMessageTests {
  @Test("every 7-bit velocity, pressure and controller value comes back from its wide form")
  func sevenBitsComeBack() {
    for value in UInt8(0)...127 {
      #expect(MIDIMessage.noteOff(channel: 0, note: 60, velocity7: value).velocity7 == value)
      #expect(MIDIMessage.polyPressure(channel: 0, note: 60, value7: value).value7 == value)
      #expect(MIDIMessage.controlChange(channel: 0, .volume, value7: value).value7 == value)
      #expect(MIDIMessage.channelPressure(channel: 0, value7: value).value7 == value)
      #expect(MIDIMessage.programChange(channel: 0, program: value).program == value)
      if value > 0 { #expect(MIDIMessage.noteOn(channel: 0, note: 60, velocity7: value).velocity7 == value) }
    }
  }

  @Test("every 14-bit bend and bank comes back from its wide form")
  func fourteenBitsComeBack() {
    for value in UInt16(0)...16383 {
      #expect(MIDIMessage.pitchBend(channel: 0, bend14: value).bend14 == value)
      #expect(MIDIMessage.programChange(channel: 0, program: 1, bank: value).bank == value)
      #expect(MIDIMessage.registeredController(channel: 0, parameter: value, value32: 7).parameter == value)
      #expect(MIDIMessage.assignableController(channel: 0, parameter: value, value32: 7).parameter == value)
    }
  }

  @Test("minimum, centre and maximum map onto each other")
  func minCenterMax() {
    let wide7 = [0, 64, 127].map { MIDIMessage.controlChange(channel: 0, .pan, value7: $0).value32 }
    #expect(wide7 == [0, 0x8000_0000, 0xFFFF_FFFF])
    let wide14 = [0, 8192, 16383].map { MIDIMessage.pitchBend(channel: 0, bend14: $0).value32 }
    #expect(wide14 == [0, 0x8000_0000, 0xFFFF_FFFF])
    let velocities = [1, 64, 127].map { MIDIMessage.noteOn(channel: 0, note: 0, velocity7: $0).velocity16 }
    #expect(velocities == [0x0200, 0x8000, 0xFFFF])
  }

  @Test("above the centre the lower bits repeat into the new ones, and values keep their order")
  func repeatedBits() {
    // 96 = 1 100000; the six bits 100000 repeat: 1100000 100000 100 in 16 bits.
    #expect(MIDIMessage.noteOn(channel: 0, note: 0, velocity7: 96).velocity16 == 0b1100_0001_0000_0100)
    let wide = (UInt16(0)...16383).map { MIDIMessage.pitchBend(channel: 0, bend14: $0).value32 }
    #expect(zip(wide, wide.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("a MIDI 1.0 note on of velocity 0 is a note off")
  func velocityZero() {
    let message = MIDIMessage(status: 0x95, data1: 60, data2: 0)
    #expect(message == .noteOff(channel: 5, note: 60))
    #expect(message?.velocity7 == 64)
  }

  @Test("the softest wide note on stays a note on")
  func softestNote() {
    let message = MIDIMessage.noteOn(channel: 0, note: 60, velocity16: 0)
    #expect(message.kind == .noteOn)
    #expect(message.velocity7 == 1)
  }

  @Test("a message is the packet the UMP specification prescribes")
  func packets() {
    let note = MIDIMessage.noteOn(channel: 3, note: 60, velocity16: 0xABCD)
    #expect((note.word0, note.word1) == (0x4093_3C00, 0xABCD_0000))
    let program = MIDIMessage.programChange(channel: 15, program: 5, bank: 1 * 128 + 2)
    #expect((program.word0, program.word1) == (0x40CF_0001, 0x0500_0102))
    let range = MIDIMessage.registeredController(channel: 0, parameter: 0, value32: 2 << 25)
    #expect((range.word0, range.word1) == (0x4020_0000, 0x0400_0000))
    let bend = MIDIMessage.perNotePitchBend(channel: 1, note: 64, value32: 0x8000_0000)
    #expect((bend.word0, bend.word1) == (0x4061_4000, 0x8000_0000))
  }

  @Test("MIDI 1.0 bytes of every channel status become the message of that kind")
  func bytes() {
    let kinds: [MIDIMessage.Kind] = [
      .noteOff, .noteOn, .polyPressure, .controlChange, .programChange, .channelPressure, .pitchBend,
    ]
    for (index, kind) in kinds.enumerated() {
      for channel in UInt8(0)...15 {
        let message = MIDIMessage(status: UInt8(0x80 + index * 16) | channel, data1: 1, data2: 2)
        #expect(message?.kind == kind)
        #expect(message?.channel == channel)
      }
    }
    for status in UInt8(0xF0)...0xFF { #expect(MIDIMessage(status: status, data1: 0, data2: 0) == nil) }
    for status in UInt8(0)..<0x80 { #expect(MIDIMessage(status: status, data1: 0, data2: 0) == nil) }
  }

  @Test("words are taken for a message only if they are a MIDI 2.0 channel voice packet")
  func words() {
    let message = MIDIMessage.noteOn(channel: 1, note: 2, velocity7: 3)
    #expect(MIDIMessage(word0: message.word0, word1: message.word1) == message)
    #expect(MIDIMessage(word0: 0x4070_0000, word1: 0) == nil, "status 7 is undefined")
    #expect(MIDIMessage(word0: 0x2090_3C64, word1: 0) == nil, "type 2 is a MIDI 1.0 packet")
  }

  @Test("a per-note controller keeps its note and its eight-bit number")
  func perNoteController() {
    let message = MIDIMessage(word0: 0x4012_3CF0, word1: 9)
    #expect(message?.kind == .assignablePerNoteController)
    #expect(message?.note == 60)
    #expect(message?.perNoteController == 0xF0)
    #expect(message?.value32 == 9)
  }

  @Test("bits beyond the width of an argument are ignored")
  func masks() {
    #expect(
      MIDIMessage.noteOn(channel: 0xF3, note: 0xBC, velocity7: 0xE4) == .noteOn(channel: 3, note: 60, velocity7: 100))
    #expect(MIDIMessage.pitchBend(channel: 0, bend14: 0xFFFF) == .pitchBend(channel: 0, bend14: 0x3FFF))
  }

  @Test("an event is 32 bytes, a file's event 16")
  func sizes() {
    #expect(MemoryLayout<MIDIEvent>.stride == 32)
    #expect(MemoryLayout<MIDIFile.Event>.stride == 16)
  }
}
