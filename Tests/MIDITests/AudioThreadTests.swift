// The message accessors compile inside functions the compiler forbids to lock or allocate.

import SynthMIDI
import Testing

/// Reads every field the audio thread needs. That this compiles is the test; the sum shows that it also runs.
@_noLocks
@_noAllocation
private func digest(_ event: MIDIEvent) -> Int {
  let message = event.message
  switch message.kind {
  case .noteOn, .noteOff: return Int(message.note) + Int(message.velocity7) + Int(message.velocity16)
  case .polyPressure, .perNotePitchBend: return Int(message.note) + Int(message.value7)
  case .controlChange:
    return message.controller == .sustain || message.controller == .allSoundOff ? 1000 : Int(message.value7)
  case .programChange: return Int(message.program) + Int(message.bank ?? 0)
  case .channelPressure: return Int(message.value32 >> 25)
  case .pitchBend: return Int(message.bend14) + Int(message.channel)
  case .registeredController, .assignableController: return Int(message.parameter)
  case .registeredPerNoteController, .assignablePerNoteController: return Int(message.perNoteController)
  case .systemExclusive: return event.payload.count
  case .relativeRegisteredController, .relativeAssignableController, .perNoteManagement: return 0
  }
}

/// Builds messages of MIDI 1.0 bytes, as a live input does.
@_noLocks
@_noAllocation
private func digest(status: UInt8, data1: UInt8, data2: UInt8) -> Int {
  guard let message = MIDIMessage(status: status, data1: data1, data2: data2) else { return -1 }
  return digest(MIDIEvent(time: 0, message: message))
}

@Suite("On the audio thread")
struct AudioThreadTests {
  @Test("messages are built and read without locks or allocation")
  func messages() {
    #expect(digest(status: 0xB0, data1: 64, data2: 127) == 1000)
    #expect(digest(status: 0xC3, data1: 5, data2: 0) == 5)
    #expect(digest(status: 0xE1, data1: 0, data2: 64) == 8193)
    #expect(digest(status: 0xF8, data1: 0, data2: 0) == -1)
  }
}
