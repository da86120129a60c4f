import SynthMIDI
import SynthRealtime
import Testing

@testable import SynthKit

@Suite("A take of what is played", .timeLimit(.minutes(2)))
struct MIDITakeTests {
  private let piano = MIDIPort(id: 1, name: "Piano")
  private let second: UInt64 = 1_000_000_000

  private func play(_ take: MIDITake, _ message: MIDIMessage, at seconds: Double) {
    take.receive(.received(.message(message), from: piano, hostTime: UInt64(seconds * 1e9) + second))
  }

  private func messages(_ entries: [MIDITake.Entry]) -> [MIDIMessage] {
    entries.compactMap { if case .message(let message) = $0.content { message } else { nil } }
  }

  @Test("keeps the latest, and what channels were told before it")
  func latest() throws {
    let take = MIDITake(duration: 100)
    play(take, .programChange(channel: 2, program: 33), at: 0)
    play(take, .controlChange(channel: 2, .volume, value7: 10), at: 1)
    play(take, .controlChange(channel: 2, .volume, value7: 90), at: 2)
    for index in 0..<10_000 {
      let time = 3 + Double(index) / 10
      play(
        take, index % 2 == 0 ? .noteOn(channel: 2, note: 60, velocity7: 80) : .noteOff(channel: 2, note: 60), at: time)
    }
    let entries = take.entries()
    let times = entries.map { Double($0.hostTime - second) / 1e9 }
    #expect(times[0] > 790 && times[0] < 903 && times.last == 1002.9)
    #expect(
      messages(entries).prefix(3) == [
        .programChange(channel: 2, program: 33), .controlChange(channel: 2, .volume, value7: 90),
        .noteOn(channel: 2, note: 60, velocity7: 80),
      ])
  }

  @Test("forgets the first where there is no room, and nothing by age while it is held")
  func room() {
    let take = MIDITake(duration: 1, capacity: 4096 * MemoryLayout<MIDITake.Entry>.stride)
    take.hold(from: 0)
    for index in 0..<4000 { play(take, .noteOn(channel: 0, note: UInt8(index % 128), velocity7: 1), at: Double(index)) }
    #expect(take.entries().first?.hostTime == second)
    for index in 4000..<8000 {
      play(take, .noteOn(channel: 0, note: UInt8(index % 128), velocity7: 1), at: Double(index))
    }
    let kept = take.entries().filter { messages([$0]).first?.kind == .noteOn }
    #expect((3000...4096).contains(kept.count) && kept.last?.hostTime == 8000 * second)
    take.hold(from: nil)
    for index in 0..<1024 { play(take, .channelPressure(channel: 0, value7: 1), at: 9000 + Double(index) / 1024) }
    #expect(take.entries().count <= 1026)
  }

  @Test("is read while it is played, and has all until then without a gap")
  func crossing() throws {
    let take = MIDITake(duration: 100_000)
    let thread = try WorkerThread(named: "keyboard") { [self] in
      for index in 0..<20_000 { play(take, .pitchBend(channel: 0, bend14: UInt16(index % 16384)), at: Double(index)) }
    }
    var count = 0
    while count < 20_000 {
      let entries = take.entries()
      #expect(entries.count >= count)
      count = entries.count
      for (index, entry) in entries.enumerated() where entry.hostTime != UInt64(index + 1) * second {
        Issue.record("entry \(index) came at \(entry.hostTime)")
        return thread.join()
      }
    }
    thread.join()
  }

  @Test("gives what was played from a time on: no key without its stroke, and none that stays down")
  func part() {
    let take = MIDITake()
    play(take, .noteOn(channel: 0, note: 60, velocity7: 80), at: 0)
    play(take, .controlChange(channel: 0, .sustain, value7: 127), at: 1)
    play(take, .noteOff(channel: 0, note: 60), at: 2)
    play(take, .noteOn(channel: 0, note: 64, velocity7: 80), at: 3)
    let entries = take.entries(from: second + second / 2)
    #expect(
      messages(entries) == [
        .controlChange(channel: 0, .sustain, value7: 127), .noteOn(channel: 0, note: 64, velocity7: 80),
        .noteOff(channel: 0, note: 64),
      ])
    #expect(entries[0].hostTime == second * 2)
    #expect(take.entries(from: 100 * second).isEmpty && !take.isEmpty)
  }
}
