import ALSA
import MIDI
import Testing

@testable import SynthKit

/// Keeps what it is sent, as far as there is room.
private final class Recorder: EventSink {
  var room = Int.max
  var messages: [MIDIMessage] = []
  var times: [Int64] = []
  var payloads: [[UInt8]] = []

  func send(_ event: MIDIEvent) -> Bool {
    guard messages.count < room else { return false }
    messages.append(event.message)
    times.append(event.time)
    return true
  }

  func send(systemExclusive payload: UnsafeBufferPointer<UInt8>, time: Int64, source: UInt32) -> Bool {
    payloads.append(Array(payload))
    return true
  }
}

@Suite("Live input")
struct LiveInputTests {
  private let recorder = Recorder()
  private var input: LiveInput<Recorder>
  private let keyboard = SequencerPort(
    address: SequencerAddress(client: 24, port: 0), clientName: "Keys", portName: "Keys", capabilities: 0)
  private let pads = SequencerAddress(client: 28, port: 0)

  init() { input = LiveInput(recorder) { Int64($0) + 1000 } }

  private mutating func play(_ bytes: [UInt8], from source: SequencerAddress? = nil, at hostTime: UInt64 = 0) {
    bytes.withUnsafeBufferPointer {
      input.receive(.bytes($0, from: source ?? keyboard.address, hostTime: hostTime))
    }
  }

  @Test("gives every event its time on the sample clock")
  mutating func times() {
    play([0x90, 60, 100], at: 7)
    play([0x80, 60, 64], at: 9)
    #expect(recorder.messages.map(\.kind) == [.noteOn, .noteOff])
    #expect(recorder.times == [1007, 1009])
  }

  @Test("keeps the pieces of two sources' System Exclusive apart")
  mutating func pieces() {
    play([0xF0, 1])
    play([0xF0, 5], from: pads)
    play([2, 0xF7])
    play([6, 0xF7], from: pads)
    #expect(recorder.payloads == [[1, 2], [5, 6]])
  }

  @Test("releases what a source held when it leaves, and when it falls silent")
  mutating func release() {
    play([0x90, 60, 100])
    play([0x91, 64, 100], from: pads)
    input.receive(.departed(keyboard))
    #expect(recorder.messages.last == .noteOff(channel: 0, note: 60))
    input.receive(.fellSilent(pads))
    #expect(recorder.messages.last == .noteOff(channel: 1, note: 64))
    #expect(recorder.messages.count == 4)
  }

  @Test("releases everything when the kernel has lost events")
  mutating func lost() {
    play([0x90, 60, 100, 0xB0, 64, 127])
    input.receive(.eventsLost)
    #expect(
      recorder.messages.suffix(2) == [.noteOff(channel: 0, note: 60), .controlChange(channel: 0, .sustain, value7: 0)])
  }

  @Test("releases everything once there is room again, if a note off found none")
  mutating func noRoom() {
    recorder.room = 2
    play([0x90, 60, 100])
    play([0x90, 64, 100])
    play([0x80, 60, 64])
    play([0x80, 64, 64])
    #expect(recorder.messages.count == 2)
    recorder.room = 10
    play([0x90, 67, 100])
    #expect(recorder.messages.dropFirst(2).map(\.note).sorted() == [60, 64, 67])
    // The two note offs: what was owed has been made good, but they came too late.
    #expect(input.dropCount == 2)
  }

  @Test("resets the instrument, and forgets what was held, when a source sends a reset")
  mutating func reset() {
    play([0x90, 60, 100])
    play([0xFF])
    #expect(recorder.payloads == [[0x7E, 0x7F, 0x09, 0x01]])
    input.receive(.departed(keyboard))
    #expect(recorder.messages.count == 1)
  }
}
