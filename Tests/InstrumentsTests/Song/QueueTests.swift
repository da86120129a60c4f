import TestSupport
import Testing

@testable import SynthInstruments

@Suite("A song that is queued", .timeLimit(.minutes(5)))
struct QueueTests {
  /// A key of 20 ticks, which are 1000 frames, and 80 ticks of nothing.
  private static func bar(_ key: UInt8) -> [UInt8] { [0, 0x90, key, 100, 20, 0x80, key, 0] + text(1, "", after: 80) }

  private let song: ReadSong
  private let next: ReadSong
  private let number: Int

  init() throws {
    song = try ReadSong(Self.bar(60))
    next = try ReadSong([0, 0xC0, 5], Self.bar(61), Self.bar(62))
    number = song.input.play(song.timeline)
  }

  private func keys(_ events: [ReadSong.Event]) -> [String] {
    events.filter { $0.text.hasPrefix("on") }.map(\.text)
  }

  @Test("begins with the quantum after the present one was told to have died away, and not before")
  func begins() throws {
    let queued = try #require(song.input.queue(next.timeline))
    #expect(keys(song.read(200)) == ["on 1 60"] && song.input.hasQueuedSong && song.input.timeline === song.timeline)
    let start = song.time
    song.input.clock.noteSilence(ofSong: number)
    #expect(song.read(1) == [.init(start, "program 1 5"), .init(start, "on 1 61")])
    #expect(!song.input.hasQueuedSong && song.input.timeline === next.timeline && song.input.clock.song == queued)
    #expect(song.input.queue(song.timeline) != nil)
  }

  @Test("waits while the present one is sought, looped, and taken back from its end")
  func waits() throws {
    _ = song.input.queue(next.timeline)
    #expect(keys(song.read(10)) == ["on 1 60"])
    song.input.seek(to: 0)
    #expect(keys(song.read(100)) == ["on 1 60"])
    song.input.clock.noteSilence(ofSong: number)
    song.input.repeatPassage(TimelineLoop(start: 0, end: 4800, passCount: 1))
    song.input.seek(to: 0)
    #expect(keys(song.read(100)) == ["on 1 60"])
    #expect(song.input.hasQueuedSong && song.input.timeline === song.timeline)
  }

  @Test("may begin in its middle, with what its channels were told before, also if something is sent meanwhile")
  func chased() throws {
    _ = song.input.queue(next.timeline, from: 64)
    _ = song.read(100)
    song.input.clock.noteSilence(ofSong: number)
    let start = song.time
    song.beginsWaiting = false
    _ = song.read(1)
    // Goes on with the song that waits for its beginning; what it began with must live on.
    song.input.repeatPassage(nil)
    song.input.repeatPassage(nil)
    _ = song.read(1)
    song.beginsWaiting = true
    let begin = start + 128
    #expect(
      song.read(100) == [
        .init(begin, "program 1 5"), .init(begin + 936, "off 1 61"), .init(begin + 4936, "on 1 62"),
        .init(begin + 5936, "off 1 62"),
      ])
  }

  @Test("is one, follows a song, and is forgotten with it")
  func one() throws {
    #expect(song.input.queue(next.timeline) != nil && song.input.queue(next.timeline) == nil)
    song.input.play(song.timeline)
    #expect(!song.input.hasQueuedSong && song.input.queue(next.timeline) != nil)
    song.input.reset()
    #expect(!song.input.hasQueuedSong && song.input.queue(next.timeline) == nil)
  }
}
