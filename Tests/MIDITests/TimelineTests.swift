import SynthMIDI
import TestSupport
import Testing

@Suite("Timeline")
struct TimelineTests {
  private func timeline(_ track: [UInt8], sampleRate: Double) throws -> Timeline {
    Timeline(Song(try MIDIFile(bytes: smf(tracks: [track]))), sampleRate: sampleRate)
  }

  @Test("an event stands at the frame nearest to its time")
  func nearestFrame() throws {
    // 1, 2, 3 … ticks are 1/960, 2/960, 3/960 s: a quarter of a frame each at 240 frames per second.
    let timeline = try timeline((0..<5).flatMap { note(60 + $0, after: 1) } + end(), sampleRate: 240)
    #expect(timeline.copiedEvents.map(\.time) == [0, 1, 1, 1, 1])
    #expect(timeline.duration == 1)
  }

  @Test("a note-off at the tick at which its key, being down, is struck again comes before that; else it stays")
  func struckAgain() throws {
    let off: [UInt8] = [0, 0x80, 60, 64]
    func kinds(_ track: [UInt8]) throws -> [MIDIMessage.Kind] {
      try timeline(track + end(), sampleRate: 48_000).copiedEvents.map(\.message.kind)
    }
    #expect(try kinds(note(60) + note(60, after: 480) + off) == [.noteOn, .noteOff, .noteOn])
    #expect(try kinds(note(60) + off + note(60, after: 480) + off) == [.noteOn, .noteOff, .noteOn, .noteOff])
    // All notes off has let the first go.
    #expect(
      try kinds(note(60) + [0, 0xB0, 123, 0] + note(60, after: 480) + off)
        == [.noteOn, .controlChange, .noteOn, .noteOff])
  }

  @Test("errors do not add up over an hour of notes")
  func noDrift() throws {
    // A third of a quarter note (160 ticks) is 7350 frames at 44.1 kHz; 21 600 of them are an hour.
    let timeline = try timeline((0..<21_600).flatMap { _ in note(60, after: 160) } + end(), sampleRate: 44_100)
    #expect(timeline.copiedEvents.enumerated().allSatisfy { $1.time == Int64($0 + 1) * 7350 })
    #expect(timeline.duration == 3600 * 44_100)
  }

  @Test("the timeline owns the System Exclusive bytes its events point to, and marks its events with their tracks")
  func payloads() throws {
    let timeline = try timeline([0, 0xF0, 3, 1, 2, 0xF7] + note(60) + [0, 0xF0, 1, 0xF7] + end(), sampleRate: 48_000)
    withExtendedLifetime(timeline) {
      #expect(timeline.events.map { Array($0.payload) } == [[1, 2], [], []])
      #expect(timeline.events.map(\.message.kind) == [.systemExclusive, .noteOn, .systemExclusive])
      #expect(timeline.events.map(\.source) == [0, 0, 0])
    }
  }

  @Test("a rate without meaning gives times in order, not a trap", arguments: [0, -1, Double.nan, .infinity])
  func senselessRates(rate: Double) throws {
    let times = try timeline(note(60) + note(61, after: 480) + end(), sampleRate: rate).copiedEvents.map(\.time)
    #expect(times == times.sorted())
  }

  @Test("a song without events has an empty timeline")
  func empty() throws {
    let timeline = try timeline(end(after: 960), sampleRate: 48_000)
    #expect(timeline.copiedEvents.isEmpty)
    #expect(timeline.duration == 48_000)
  }
}
