import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("A count-in", .timeLimit(.minutes(5)))
struct CountInTests {
  private let note = [0, 0x90, 60, 100] + vlq(480) + [0x80, 60, 0] as [UInt8]

  @Test("of two bars shifts the song by exactly two bars, and clicks them without a metronome")
  func shift() throws {
    let plain = try ClickedSong(note, end(after: 480), isOn: false)
    plain.events.play(plain.timeline)
    let expected = plain.render(48000)
    let counted = try ClickedSong(note, end(after: 480), isOn: false)
    counted.events.countIn = 2
    counted.events.play(counted.timeline)
    let clicks = counted.clicks(192_000)
    #expect(clicks == (0..<8).map { .init(frame: $0 * 24000, isFirst: $0 % 4 == 0) })
    #expect(counted.songFrame == 0)
    let isSame = counted.render(48000) == expected && expected.contains { abs($0) > 0.01 }
    #expect(isSame)
    #expect(counted.songFrame == 48000)
  }

  @Test("has the signature and the tempo of the place where the song begins, and the tempo it is played at")
  func place() throws {
    // Two bars of 4/4, then 3/4 at 60.
    let song = try ClickedSong(signature(3, power: 2, after: 3840), bpm(60), end(after: 2880))
    song.events.countIn = 1
    song.events.tempo = 0.8
    song.events.play(song.timeline, from: 192_000)
    let clicks = song.clicks(300_000)
    // 180000 frames are half a quantum too many.
    #expect(clicks == (0..<5).map { .init(frame: 32 + $0 * 60000, isFirst: $0 % 3 == 0) })
    #expect(abs(song.songFrame - (192_000 + Double(300_000 - 180_032) * 0.8)) < 1e-6)
  }

  @Test("leads to a place within a bar by the beats of that bar")
  func middle() throws {
    let song = try ClickedSong(end(after: 7680), isOn: false)
    song.events.countIn = 1
    // Half a beat after the second beat of the second bar.
    song.events.play(song.timeline, from: 96000 + 36032)
    // The song begins with a quantum, so that the first click comes a little later.
    let clicks = song.clicks(300_032)
    #expect(clicks.map { $0.frame - clicks[0].frame } == (0..<6).map { $0 * 24000 })
    #expect(clicks[0].frame < 64 && clicks.indices.filter { clicks[$0].isFirst } == [0, 4])
    #expect(300_032 - song.songFrame == Double(clicks[0].frame))
  }

  @Test("begins with a bar that the place is less than 50 ms before")
  func tolerance() throws {
    let song = try ClickedSong(end(after: 7680), isOn: false)
    song.events.countIn = 1
    song.events.play(song.timeline, from: 96000 - 320)
    #expect(song.clicks(192_000).count == 4 && song.songFrame == 192_000)
  }

  @Test("keeps the grid of quanta at a tempo that does not fit it")
  func grid() throws {
    let song = try ClickedSong(bpm(97), note, end(after: 4800), isOn: false)
    song.events.countIn = 2
    song.events.play(song.timeline)
    // 237525.5 frames, and what a quantum lacks.
    let start = 237_568
    let beat = 0.618_556 * 48000
    #expect(song.clicks(start).map(\.frame) == (1...8).reversed().map { start - Int((Double($0) * beat).rounded()) })
    #expect(song.songFrame == 0)
    _ = song.render(64000)
    #expect(song.songFrame == 64000)
  }

  @Test("stands still with the song, follows its tempo, and tells the place where the song begins")
  func pause() throws {
    let song = try ClickedSong(end(after: 7680), isOn: false)
    song.events.countIn = 1
    song.events.play(song.timeline, from: 96000)
    #expect(song.clicks(32000).map(\.frame) == [0, 24000] && song.songFrame == 96000)
    song.events.isSongHeld = true
    #expect(song.clicks(64000).isEmpty && song.songFrame == 96000)
    song.events.isSongHeld = false
    song.events.tempo = 2
    #expect(song.clicks(32000).map(\.frame) == [96000 + 8000, 96000 + 20000])
    #expect(song.songFrame == 96000)
    _ = song.render(6400)
    #expect(song.songFrame == 96000 + 12800)
  }

  @Test("goes on to the place where the song begins while routes change, and nothing before it is played")
  func routes() throws {
    let song = try ClickedSong(note, vlq(1440) + [0x90, 64, 100], end(after: 7680), isOn: false)
    song.events.countIn = 1
    song.events.play(song.timeline, from: 192_000)
    let first = song.clicks(32000)
    song.events.routes[.channel(0)] = 3
    let second = song.clicks(64000)
    #expect((first + second).map(\.frame) == [0, 24000, 48000, 72000])
    #expect(song.songFrame == 192_000)
    _ = song.render(6400)
    #expect(song.songFrame == 198_400)
  }

  @Test("comes before a queued song and a seek that asks for it, not before another")
  func occasions() throws {
    let song = try ClickedSong(end(after: 1920), isOn: false)
    song.events.play(song.timeline)
    song.events.countIn = 1
    _ = song.render(6400)
    song.events.seek(to: 0)
    #expect(song.clicks(9600).isEmpty)
    song.events.seek(to: 0, countsIn: true)
    #expect(song.clicks(96000 + 640).count == 4)
    let number = song.events.queue(song.timeline)
    song.events.clock.noteSilence(ofSong: song.events.clock.song)
    #expect(number != nil && song.clicks(96000).count == 4)
  }
}
