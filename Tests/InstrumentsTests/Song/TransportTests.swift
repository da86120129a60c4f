import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("A song's transport", .timeLimit(.minutes(5)))
struct TransportTests {
  /// Notes of 20 ticks, 1000 frames, on keys 60, 61 …, 96 ticks or 4800 frames from one to the next.
  private func scale(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { index -> [UInt8] in
      let key = UInt8(60 + index % 60)
      return [index == 0 ? 0 : 76, 0x90, key, 100, 20, 0x80, key, 0]
    }
  }

  private func onsets(_ events: [ReadSong.Event]) -> [Int64] {
    events.filter { $0.text.hasPrefix("on") }.map(\.frame)
  }

  @Test("half the tempo doubles all times, and a change holds from its quantum on")
  func tempo() throws {
    let song = try ReadSong(scale(10))
    song.input.tempo = 0.5
    song.input.play(song.timeline)
    #expect(onsets(song.read(150)) == [0])
    #expect(song.songFrame == 4800)
    // At frame 9600 the song is at 4800; four times as fast, its notes are 1200 frames apart.
    song.input.tempo = 4
    #expect(onsets(song.read(75)) == [9600, 10800, 12000, 13200])
    song.input.tempo = 1
    // At frame 14400 the song is at 24000.
    #expect(onsets(song.read(150)) == [14400, 19200])
  }

  @Test("a tempo is 25 to 400 percent, and a transposition two octaves either way")
  func ranges() throws {
    let input = EventInput()
    input.tempo = 0.1
    input.transposition = 30
    #expect(input.tempo == 0.25 && input.transposition == 24)
    input.tempo = 7
    input.transposition = -30
    #expect(input.tempo == 4 && input.transposition == -24)
    input.tempo = .nan
    #expect(input.tempo == 4, "NaN is ignored")
  }

  @Test("a loop begins again at the very frame of its end, a thousand times, at any tempo", arguments: [1, 0.8, 1.37])
  func seamless(tempo: Double) throws {
    let song = try ReadSong(scale(10))
    song.input.tempo = tempo
    // 4800 to 9677: notes at 4800 and 9600, the latter ended by the loop.
    song.input.play(song.timeline, from: 4800, loop: TimelineLoop(start: 4800, end: 9677))
    let quantumCount = Int(1000 * 4877 / tempo) / 64 + 1
    let events = song.read(quantumCount).filter { $0.text.hasSuffix("61") && $0.text.hasPrefix("on") }
    #expect(events.count >= 1000)
    for (pass, event) in events.enumerated() {
      #expect(abs(Double(event.frame) - Double(pass * 4877) / tempo) <= 0.5)
    }
  }

  @Test("what is held at a loop's end is released there, and channels are as they were at its start")
  func bridge() throws {
    // At 0: volume 90. At 4800: a key is held. At 9600: volume 20, program 5, pedal, bend.
    let song = try ReadSong(
      [0, 0xB0, 7, 90], [96, 0x90, 60, 100],
      [96, 0xB0, 7, 20, 0, 0xC0, 5, 0, 0xB0, 64, 127, 0, 0xE0, 0, 100], vlq(960), [0x80, 60, 0])
    song.input.play(song.timeline, loop: TimelineLoop(start: 3200, end: 12800, passCount: 2))
    _ = song.read(199)
    let bridge = song.read(2)
    #expect(bridge.allSatisfy { $0.frame == 12800 })
    #expect(
      bridge.map(\.text)
        == [
          "off 1 60", "cc 1 64=0", "cc 1 7=100", "cc 1 0=0", "cc 1 32=0", "program 1 0", "cc 1 64=0", "bend 1 8192",
          "cc 1 7=90",
        ].reordered(like: bridge.map(\.text)))
    // The second pass is the last: the song goes on, to 48000 + 9600 + 9600.
    #expect(song.read(900).last == ReadSong.Event(67200, "off 1 60"))
    #expect(song.input.clock.end(ofSong: 1) == 67200)
  }

  @Test("a loop that is set while the song plays does not disturb it; one that is taken away lets it go on")
  func loopInPlace() throws {
    let song = try ReadSong(scale(10))
    song.input.play(song.timeline)
    #expect(onsets(song.read(100)) == [0, 4800])
    song.input.repeatPassage(TimelineLoop(start: 4800, end: 9600))
    #expect(onsets(song.read(150)) == [9600, 14400])
    song.input.repeatPassage(nil)
    #expect(onsets(song.read(75)) == [19200])
    // At 20800 the song is at 11200. What lies behind is returned to at once.
    song.input.repeatPassage(TimelineLoop(start: 0, end: 4800))
    #expect(onsets(song.read(1)) == [20800])
  }

  @Test("a loop that is set before a seek has come about does not undo it")
  func loopAfterSeek() throws {
    let song = try ReadSong(scale(10))
    song.input.play(song.timeline)
    _ = song.read(1)
    song.input.seek(to: 9600)
    song.input.repeatPassage(TimelineLoop(start: 9600, end: 14400))
    #expect(song.input.pendingStart == 9600)
    #expect(onsets(song.read(80)) == [64, 4864])
  }

  @Test("a seek goes to a whole quantum from the song's start, and says where it is before it has come about")
  func seek() throws {
    let song = try ReadSong(scale(10))
    #expect(!song.input.seek(to: 100) && !song.input.repeatPassage(nil))
    song.input.play(song.timeline)
    _ = song.read(10)
    song.input.seek(to: 4863)
    #expect(song.input.pendingStart == 4863)
    #expect(song.read(1).first == ReadSong.Event(640, "on 1 61") && song.songFrame == 4864)
  }

  @Test("a seek plays no notes again, and what a later message overwrites only once")
  func chase() throws {
    let dense: [UInt8] =
      (0..<50).flatMap { [1, 0xB0, 7, UInt8($0), 0, 0xE0, 0, UInt8($0), 0, 0xD0, UInt8($0)] }
      + [0, 0xB0, 101, 0, 0, 0xB0, 100, 0, 0, 0xB0, 6, 12, 0, 0xC0, 3, 0, 0xC0, 4]
    let song = try ReadSong(dense, scale(3))
    song.input.play(song.timeline, from: 12000)
    #expect(
      song.read(1).map(\.text) == [
        "cc 1 7=49", "bend 1 \(49 << 7)", "channelPressure 1", "cc 1 101=0", "cc 1 100=0", "cc 1 6=12", "program 1 3",
        "program 1 4",
      ])
  }

  @Test("many events before a seek's place are spread over quanta, and the song begins after them")
  func longChase() throws {
    let programs = (0..<1000).flatMap { index -> [UInt8] in [0, 0xC0, UInt8(index % 128)] }
    let song = try ReadSong(programs, [96, 0x90, 60, 100, 96, 0x80, 60, 0])
    song.input.play(song.timeline, from: 4800)
    #expect(song.read(1).count == 256 && song.read(2).count == 512)
    #expect(song.read(1).last == ReadSong.Event(192, "on 1 60"))
  }

  @Test("while it is held, its keys and pedals are up; then the pedals are given back, and it goes on from there")
  func hold() throws {
    let song = try ReadSong([0, 0xB0, 64, 127, 0, 0x90, 60, 100], [96, 0x90, 61, 100], [96, 0x80, 60, 0])
    song.input.play(song.timeline)
    _ = song.read(50)
    song.input.isSongHeld = true
    #expect(song.read(100).map(\.description) == ["3200 off 1 60", "3200 cc 1 64=0"])
    #expect(song.songFrame == 3200)
    // A seek keeps it held, and tells the channel its pedal no longer than needed.
    song.input.seek(to: 3200)
    #expect(song.read(1).map(\.text) == ["cc 1 64=127", "cc 1 64=0"])
    song.input.isSongHeld = false
    #expect(song.read(100).map(\.description) == ["9664 cc 1 64=127", "11264 on 1 61"])
  }

  @Test("a note's end has the transposition of its beginning, and drums have none")
  func transposition() throws {
    let song = try ReadSong(
      [0, 0x90, 60, 100, 0, 0x99, 36, 100, 0, 0x91, 120, 100],
      [96, 0x80, 60, 0, 0, 0x90, 60, 100, 0, 0x81, 120, 0], [96, 0x90, 60, 100, 1, 0x80, 60, 0])
    song.input.transposition = 12
    song.input.play(song.timeline)
    #expect(song.read(10).map(\.text) == ["on 1 72", "on 10 36"])
    song.input.transposition = -2
    #expect(song.read(90).map(\.text) == ["off 1 72", "on 1 58", "off 2 118"])
    song.input.transposition = 5
    // Struck again as another key: the first one is released.
    #expect(song.read(90).map(\.text) == ["off 1 58", "on 1 65", "off 1 65"])
  }

  @Test("ends where it is told to, and releases what it holds there")
  func end() throws {
    let song = try ReadSong([0, 0xB0, 66, 127, 0, 0x90, 60, 100], vlq(960), [0x80, 60, 0])
    song.input.play(song.timeline, to: 1001)
    _ = song.read(15)
    #expect(song.input.clock.end(ofSong: 1) == .max)
    #expect(song.read(1000).map(\.description) == ["1001 off 1 60", "1001 cc 1 66=0"])
    #expect(song.input.clock.end(ofSong: 1) == 1001)
    song.input.seek(to: 0)
    _ = song.read(1)
    #expect(song.input.clock.end(ofSong: 1) == .max)
  }
}

extension [String] {
  /// The same words in another's order, if they are the same.
  fileprivate func reordered(like other: [String]) -> [String] { sorted() == other.sorted() ? other : self }
}
