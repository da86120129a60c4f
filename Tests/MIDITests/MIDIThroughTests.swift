import SynthMIDI
import TestSupport
import Testing

@Suite("MIDI through")
struct MIDIThroughTests {
  private let recorder = MIDIRecorder()
  private let keys = MIDIPort(id: 1, name: "keys")

  private func passed(_ through: MIDIThrough, _ messages: MIDIMessage...) -> [MIDIMessage] {
    recorder.clear()
    for message in messages { through.receive(.received(.message(message), from: keys, hostTime: 5)) }
    return recorder.entries.compactMap { if case .message(let message) = $0.content { message } else { nil } }
  }

  @Test("passes all as it is, with port and time, to every sink")
  func all() {
    let other = MIDIRecorder()
    let through = MIDIThrough(to: [recorder, other])
    through.receive(.received(.systemExclusive([1, 2]), from: keys, hostTime: 5))
    through.receive(.received(.message(.noteOn(channel: 9, note: 35, velocity7: 1)), from: keys, hostTime: 6))
    #expect(recorder.entries == other.entries && recorder.entries.count == 2)
    #expect(recorder.entries[1].port == keys && recorder.entries[1].hostTime == 6)
  }

  @Test("moves channels and keys, and leaves out what has no place")
  func moves() {
    var setting = MIDIThrough.Setting()
    setting.channels[0] = 3
    setting.channels[1] = nil
    setting.transposition = -12
    let through = MIDIThrough(setting, to: [recorder])
    #expect(
      passed(
        through, .noteOn(channel: 0, note: 60, velocity7: 9), .noteOn(channel: 1, note: 60, velocity7: 9),
        .noteOn(channel: 0, note: 11, velocity7: 9), .controlChange(channel: 0, .volume, value7: 5))
        == [.noteOn(channel: 3, note: 48, velocity7: 9), .controlChange(channel: 3, .volume, value7: 5)])
  }

  @Test("ends a note where it began, though the setting has changed meanwhile")
  func held() {
    let through = MIDIThrough(to: [recorder])
    #expect(passed(through, .noteOn(channel: 0, note: 60, velocity7: 9)).count == 1)
    through.setting.transposition = 7
    through.setting.channels[0] = nil
    through.setting.keys = 0...10
    through.setting.blockedKinds = [.noteOff]
    #expect(passed(through, .noteOff(channel: 0, note: 60)) == [.noteOff(channel: 0, note: 60)])
    #expect(passed(through, .noteOff(channel: 0, note: 60)).isEmpty)
  }

  @Test("leaves out kinds, keys beyond a range, and system messages")
  func filter() {
    var setting = MIDIThrough.Setting()
    setting.keys = 48...72
    setting.blockedKinds = [.pitchBend]
    setting.passesSystemMessages = false
    let through = MIDIThrough(setting, to: [recorder])
    through.receive(.received(.reset, from: keys, hostTime: 5))
    #expect(recorder.entries.isEmpty)
    #expect(
      passed(
        through, .noteOn(channel: 0, note: 47, velocity7: 9), .pitchBend(channel: 0, bend14: 0),
        .noteOn(channel: 0, note: 48, velocity7: 9)) == [.noteOn(channel: 0, note: 48, velocity7: 9)])
  }
}
