import Synchronization
import SynthInstruments
import SynthMIDI
import SynthRealtime
import Testing

@testable import SynthKit

/// Keeps what it is sent, as far as there is room.
private final class Recorder: EventSink, @unchecked Sendable {
  // Unchecked: a test uses it on one thread.
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

@Suite("What MIDI sources deliver")
struct MIDIMergeTests {
  private let recorder = Recorder()
  private var merge: MIDIMerge<Recorder>
  private let keyboard = MIDIPort(id: 1, name: "Keys")
  private let pads = MIDIPort(id: 2, name: "Pads")

  init() { merge = MIDIMerge(recorder) { Int64($0) + 1000 } }

  private mutating func play(
    _ messages: MIDIMessage..., from port: MIDIPort? = nil, of source: Int = 0, at hostTime: UInt64 = 1
  ) {
    for message in messages {
      merge.receive(.received(.message(message), from: port ?? keyboard, hostTime: hostTime), from: source)
    }
  }

  private func on(_ note: UInt8, channel: UInt8 = 0) -> MIDIMessage {
    .noteOn(channel: channel, note: note, velocity7: 100)
  }

  private func off(_ note: UInt8, channel: UInt8 = 0) -> MIDIMessage { .noteOff(channel: channel, note: note) }

  @Test("gets its time on the sample clock")
  mutating func times() {
    play(on(60), at: 7)
    play(off(60), at: 9)
    #expect(recorder.messages == [on(60), off(60)])
    #expect(recorder.times == [1007, 1009])
  }

  @Test("is played now where it has no time")
  mutating func now() {
    let before = HostClock.now
    play(on(60), at: 0)
    #expect(recorder.times[0] - 1000 >= before)
  }

  @Test("is released when a port leaves, and when it falls silent")
  mutating func release() {
    play(on(60))
    play(on(64, channel: 1), from: pads)
    merge.receive(.departed(keyboard), from: 0)
    #expect(recorder.messages.last == off(60))
    merge.receive(.fellSilent(pads), from: 0)
    #expect(recorder.messages.last == off(64, channel: 1))
    #expect(recorder.messages.count == 4)
  }

  @Test("is released when its source has lost events, and other sources' is not")
  mutating func lost() {
    play(on(60), .controlChange(channel: 0, .sustain, value7: 127))
    play(on(72), of: 1)
    merge.receive(.eventsLost, from: 0)
    #expect(recorder.messages.suffix(2) == [off(60), .controlChange(channel: 0, .sustain, value7: 0)])
    merge.receive(.eventsLost, from: 1)
    #expect(recorder.messages.last == off(72))
  }

  @Test("is released once there is room again, if a note off found none")
  mutating func noRoom() {
    recorder.room = 2
    play(on(60), on(64), off(60), off(64))
    #expect(recorder.messages.count == 2)
    recorder.room = 10
    play(on(67))
    #expect(recorder.messages.dropFirst(2).map(\.note).sorted() == [60, 64, 67])
    // The two note offs: what was owed has been made good, but they came too late.
    #expect(merge.dropCount == 2)
  }

  @Test("resets the instrument, and nothing is held any more, when a port sends a reset")
  mutating func reset() {
    play(on(60))
    merge.receive(.received(.reset, from: keyboard, hostTime: 0), from: 0)
    #expect(recorder.payloads == [[0x7E, 0x7F, 0x09, 0x01]])
    merge.receive(.departed(keyboard), from: 0)
    #expect(recorder.messages.count == 1)
  }

  @Test("sounds until the last of two ports has let go of a key", arguments: [(0, 0), (0, 1)])
  mutating func sharedKey(firstSource: Int, secondSource: Int) {
    play(on(60), of: firstSource)
    play(on(60), from: pads, of: secondSource)
    play(off(60), of: firstSource)
    #expect(recorder.messages == [on(60), on(60)])
    play(off(60), from: pads, of: secondSource)
    #expect(recorder.messages == [on(60), on(60), off(60)])
  }

  @Test("is told apart by its source where ports have the same number")
  mutating func samePortNumber() {
    play(on(60), of: 0)
    play(on(60), of: 1)
    play(off(60), of: 1)
    #expect(recorder.messages == [on(60), on(60)])
  }

  @Test("sounds until the last of two ports has let go of a pedal")
  mutating func sharedPedal() {
    let down = MIDIMessage.controlChange(channel: 0, .sustain, value7: 127)
    let up = MIDIMessage.controlChange(channel: 0, .sustain, value7: 0)
    play(down)
    play(down, from: pads)
    play(up)
    #expect(recorder.messages == [down, down])
    play(up, from: pads)
    #expect(recorder.messages == [down, down, up])
  }

  @Test("sounds until the port that still holds a key leaves")
  mutating func sharedKeyDeparts() {
    play(on(60))
    play(on(60), from: pads)
    play(off(60))
    merge.receive(.departed(pads), from: 0)
    #expect(recorder.messages == [on(60), on(60), off(60)])
  }
}

/// Counts what it receives.
private final class Counter: MIDISink {
  let events = Mutex<[MIDISourceEvent]>([])
  func receive(_ event: MIDISourceEvent) { events.withLock { $0.append(event) } }
}

@Suite("A MIDI input")
struct MIDIInputTests {
  private let copy = Counter()
  private let keys = VirtualSource("keys")
  private let pads = VirtualSource("pads")
  private let note = MIDIMessage.noteOn(channel: 0, note: 60, velocity7: 100)

  @Test("hears the sources that were added until they are removed")
  func sources() throws {
    let input = MIDIInput(EventInput(), copies: [copy]) { Int64($0) }
    keys.send(note)
    try input.add(keys)
    try input.add(pads)
    keys.send(note, at: 5)
    pads.send(systemExclusive: [1, 2], at: 6)
    input.remove(keys)
    keys.send(note)
    #expect(
      copy.events.withLock { $0 } == [
        .received(.message(note), from: keys.port, hostTime: 5),
        .received(.systemExclusive([1, 2]), from: pads.port, hostTime: 6),
      ])
  }

  @Test("counts what finds no room in the rack's queue")
  func drops() throws {
    let input = MIDIInput(EventInput()) { Int64($0) }
    try input.add(keys)
    for _ in 0..<EventInput.liveCapacity { keys.send(note) }
    #expect(input.dropCount == 0)
    keys.send(note)
    #expect(input.dropCount == 1)
  }

  @Test("lets go of its sources when it goes")
  func end() throws {
    var input: MIDIInput? = MIDIInput(EventInput(), copies: [copy]) { Int64($0) }
    try input?.add(keys)
    input = nil
    keys.send(note)
    #expect(copy.events.withLock { $0.isEmpty })
  }
}
