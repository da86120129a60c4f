import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("A song on other channels", .timeLimit(.minutes(5)))
struct RouteTests {
  private let song: ReadSong

  /// Two tracks on channel 1, each with a program and a note of a second, and one on channel 2.
  init() throws {
    song = try ReadSong(tracks: [
      [0, 0xC0, 5, 0, 0x90, 60, 100] + vlq(960) + [0x80, 60, 0],
      [0, 0xC0, 9, 0, 0xB0, 7, 30, 0, 0x90, 70, 100] + vlq(960) + [0x80, 70, 0, 0, 0x90, 71, 100],
      [0, 0x91, 80, 100],
    ])
  }

  @Test("a track goes there with its programs and controllers, and is muted as before; the others stay")
  func track() {
    song.input.routes[.track(1)] = 11
    song.input.play(song.timeline)
    #expect(
      song.read(1).map(\.text) == ["program 1 5", "on 1 60", "program 12 9", "cc 12 7=30", "on 12 70", "on 2 80"])
    song.input.tracks.mute(1, true)
    #expect(song.read(1).map(\.text) == ["off 12 70"])
  }

  @Test("changes of routes while another song waits keep no more than the audio thread may be reading")
  func memory() {
    let sender = PlaybackSender(SongClock())
    _ = sender.play(song.timeline, from: 0, to: nil, loop: nil)
    _ = sender.queue(song.timeline, from: 0, countInBars: 0, to: nil, loop: nil)
    var present: Unmanaged<Playback>?
    var waiting: [Waiting] = []
    for round in 0..<50 as Range<UInt8> {
      var routes = SongRoutes()
      routes[.channel(0)] = round % 16
      sender.setRoutes(routes)
      // Every third is replaced before it is taken over.
      if round % 3 > 0, sender.receiver.adopt(&present) {
        waiting.append(Waiting(playback: present?._withUnsafeGuaranteedRef { $0.next }))
      }
    }
    #expect(waiting.count > 30)
    // Two each of what was sent last and of what is on its way home.
    #expect(waiting.count { $0.playback != nil } <= 4)
    present?.release()
  }

  private struct Waiting {
    weak var playback: Playback?
  }

  @Test("what sounds ends where it was, and channels are told what they would have been told")
  func whilePlaying() {
    song.input.play(song.timeline)
    _ = song.read(100)
    song.input.routes[.track(1)] = 11
    #expect(
      song.read(1)
        == ["off 1 70", "cc 1 7=100", "program 1 5", "program 12 9", "cc 12 7=30"].map { .init(6400, $0) })
    #expect(song.read(1000).map(\.text) == ["off 1 60", "off 12 70", "on 12 71"])
    song.input.routes[.track(1)] = nil
    #expect(song.read(1).map(\.text).first == "off 12 71")
  }

  @Test("changes that come before the last has come about count from what is played")
  func twice() {
    song.input.play(song.timeline)
    _ = song.read(100)
    song.input.routes[.track(1)] = 11
    song.input.routes[.channel(1)] = 3
    _ = song.input.repeatPassage(nil)
    #expect(Set(song.read(1).map(\.text).filter { $0.hasPrefix("off") }) == ["off 1 70", "off 2 80"])
    song.input.routes = SongRoutes()
    song.input.routes[.track(1)] = 11
    song.input.routes[.channel(1)] = 3
    #expect(song.read(1).allSatisfy { !$0.text.hasPrefix("off") })
  }

  @Test("from a change on it is played as if it had been so from the start", arguments: 1...4 as ClosedRange<UInt64>)
  func generated(seed: UInt64) throws {
    let timeline = Timeline(Song(try MIDIFile(bytes: PhrasedSong(seed: seed).file)), sampleRate: 48000)
    var routes = SongRoutes()
    for channel in 0..<8 as Range<UInt8> { routes[.channel(channel)] = (channel + 5) % 16 }
    let (changed, routed) = (try ReadSong([]), try ReadSong([]))
    routed.input.routes = routes
    changed.input.play(timeline)
    routed.input.play(timeline)
    for quanta in [1000, 333, 4000] {
      changed.input.routes = SongRoutes()
      _ = (changed.read(quanta), routed.read(quanta))
      changed.input.routes = routes
      _ = (changed.read(1), routed.read(1))
      let rest = routed.read(2000)
      #expect(changed.read(2000) == rest && !rest.isEmpty)
    }
  }

  @Test("a change while a seek's many events are chased, or before it has begun, misses none")
  func chasing() throws {
    let programs = (0..<600).flatMap { number -> [UInt8] in [0, 0xC0, UInt8(number % 100)] }
    for quanta in 0...2 {
      let song = try ReadSong(tracks: [programs + vlq(960) + [0x90, 60, 100]])
      song.input.play(song.timeline)
      _ = song.read(10)
      song.beginsWaiting = quanta != 2
      song.input.seek(to: 24_000)
      _ = song.read(quanta)
      song.input.routes[.track(0)] = 11
      _ = song.read(1)
      song.beginsWaiting = true
      let events = song.read(1000).map(\.text)
      #expect(events.last == "on 12 60" && events.dropLast().last == "program 12 99", "\(quanta)")
    }
  }

  @Test("a prepared song follows, and passes of a loop are not counted again")
  func queued() {
    let number = song.input.play(song.timeline, loop: TimelineLoop(start: 0, end: 24_000, passCount: 2))
    _ = song.read(400)
    #expect(song.input.queue(song.timeline) != nil)
    song.input.routes[.channel(0)] = 4
    #expect(song.read(3000).filter { $0.text == "on 5 60" } == [])
    song.input.routes[.channel(0)] = 6
    song.input.clock.noteSilence(ofSong: number)
    #expect(song.read(2).map(\.text).contains("on 7 60") && !song.input.hasQueuedSong)
    song.input.routes = SongRoutes()
    #expect(song.read(1).map(\.text).contains("off 7 60"))
    #expect(song.input.songs.count == 1 && song.input.timeline === song.timeline)
  }
}
