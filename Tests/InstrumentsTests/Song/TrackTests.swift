import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("Tracks of a song", .timeLimit(.minutes(5)))
struct TrackTests {
  private let song: ReadSong

  /// Three tracks of a note each second, 960 ticks, on key 60 + 10 times the track; each is held for 480 ticks. The
  /// second track is on the first one's channel.
  init() throws {
    song = try ReadSong(
      tracks: (0..<3).map { track in
        let (channel, key) = (UInt8(track == 2 ? 1 : 0), UInt8(60 + 10 * track))
        let bar = vlq(480) + [0x90 | channel, key, 100] + vlq(480) + [0x80 | channel, key, 0]
        return (0..<8).flatMap { _ in bar } + [0, 0xB0 | channel, 7, UInt8(track)]
      })
    song.input.play(song.timeline)
  }

  /// What is read in so many seconds.
  private func read(_ seconds: Int) -> [String] { song.read(750 * seconds).map(\.text) }

  @Test("a muted one plays no notes, lets go of what it holds at once, and is heard again from its next note on")
  func mute() throws {
    // Each note begins in the middle of a second, and ends with it.
    _ = song.read(600)
    song.input.tracks.mute(0, true)
    #expect(song.read(1) == [.init(600 * 64, "off 1 60")])
    #expect(song.read(149).map(\.text) == [] && song.read(1).map(\.text) == ["off 1 70", "off 2 80"])
    #expect(song.read(749).map(\.text) == ["on 1 70", "on 2 80"])
    song.input.tracks.mute(0, false)
    #expect(read(1) == ["off 1 70", "off 2 80", "on 1 60", "on 1 70", "on 2 80"])
  }

  @Test("what is soloed alone is heard, muted or not, until the solo is over; controllers are played all the time")
  func solo() throws {
    song.input.tracks.solo(1, true)
    song.input.tracks.mute(2, true)
    #expect(read(2).filter { $0.hasPrefix("on") } == ["on 1 70", "on 1 70"])
    song.input.tracks.solo(2, true)
    #expect(read(1).filter { $0.hasPrefix("on") } == ["on 1 70"])
    song.input.tracks.solo(nil, false)
    #expect(read(1).filter { $0.hasPrefix("on") } == ["on 1 60", "on 1 70"])
    song.input.tracks.mute(nil, true)
    #expect(read(10).filter { !$0.hasPrefix("off") } == ["cc 1 7=0", "cc 1 7=1", "cc 2 7=2"])
  }

  @Test("seeks and loops keep it so")
  func seeks() throws {
    song.input.tracks.mute(1, true)
    song.input.seek(to: 96_000)
    #expect(read(1).filter { $0.hasPrefix("on") } == ["on 1 60", "on 2 80"])
    song.input.repeatPassage(TimelineLoop(start: 0, end: 48_000))
    #expect(read(4).filter { $0.hasSuffix("70") } == [])
  }

  @Test("of one that holds the same key of the same channel another one lets nothing go")
  func shared() throws {
    let shared = try ReadSong(tracks: [
      [0, 0x90, 60, 100] + vlq(960) + [0x80, 60, 0], vlq(96) + [0x90, 60, 100] + vlq(96) + [0x80, 60, 0],
    ])
    shared.input.play(shared.timeline)
    shared.input.tracks.mute(1, true)
    #expect(shared.read(800) == [.init(0, "on 1 60"), .init(48_000, "off 1 60")])
  }
}
