import AudioGraph
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("A metronome", .timeLimit(.minutes(5)))
struct MetronomeTests {
  /// A click at each of some frames, of which every so many begins a bar.
  private func beats(_ frames: [Int], bar: Int) -> [ClickedSong.Click] {
    frames.enumerated().map { ClickedSong.Click(frame: $1, isFirst: $0 % bar == 0) }
  }

  @Test("clicks on the frame of each beat, higher where a bar begins, until the song ends")
  func constantTempo() throws {
    let song = try ClickedSong(bpm(100), end(after: 8 * 480))
    song.events.play(song.timeline)
    #expect(song.clicks(300_000) == beats((0..<8).map { $0 * 28800 }, bar: 4))
  }

  @Test("follows a tempo that changes within a bar")
  func tempoChange() throws {
    let song = try ClickedSong(bpm(60, after: 720), end(after: 1200))
    song.events.play(song.timeline)
    // 36000 frames to the change, and half a beat of a second.
    #expect(song.clicks(150_000) == beats([0, 24000, 60000, 108_000], bar: 4))
  }

  @Test("follows the tempo that the song is played at, also where that changes")
  func tempoScale() throws {
    let song = try ClickedSong(end(after: 8 * 480))
    song.events.tempo = 0.8
    song.events.play(song.timeline)
    let first = song.clicks(75_008)
    song.events.tempo = 1.6
    // The third beat has been at 60000; what is left of the beat goes by twice as fast.
    let second = song.clicks(30_016)
    #expect(first == beats([0, 30000, 60000], bar: 4))
    #expect(second.map(\.frame) == [75_008 + (15000 - 8) / 2, 75_008 + (15000 - 8) / 2 + 15000])
  }

  @Test("follows a seek")
  func seek() throws {
    let song = try ClickedSong(end(after: 16 * 480))
    song.events.play(song.timeline)
    _ = song.render(6400)
    song.events.seek(to: 60_000)
    let clicks = song.clicks(64000)
    // The song began with a quantum, at a multiple of 64 of its own.
    let offset = song.time - Int(song.songFrame)
    #expect(offset % 64 == 0 && song.songFrame > 100_000)
    #expect(
      clicks == [
        .init(frame: offset + 72000, isFirst: false), .init(frame: offset + 96000, isFirst: true),
        .init(frame: offset + 120_000, isFirst: false),
      ])
  }

  @Test("follows a loop to the frame, at every tempo", arguments: [1, 0.9, 1.7])
  func loop(tempo: Double) throws {
    let song = try ClickedSong(end(after: 8 * 480))
    song.events.tempo = tempo
    // Beats 3, 4 and 5, of which the last begins a bar, three times in all.
    song.events.play(song.timeline, loop: TimelineLoop(start: 48000, end: 120_000, passCount: 3))
    let clicks = song.clicks(350_000)
    #expect(clicks.map(\.frame) == (0..<14).map { Int((Double($0) * 24000 / tempo).rounded()) })
    #expect(clicks.indices.filter { clicks[$0].isFirst } == [0, 4, 7, 10])
  }

  @Test("has three beats in 3/4, two in 6/8, three in 9/8, and the signature's own in 3/8 and 5/8")
  func signatures() throws {
    func clicks(_ events: [UInt8]...) throws -> [ClickedSong.Click] {
      let song = try ClickedSong(events.flatMap(\.self), end(after: 2880))
      song.events.play(song.timeline)
      return song.clicks(144_000)
    }
    #expect(try clicks(signature(3, power: 2)) == beats((0..<6).map { $0 * 24000 }, bar: 3))
    #expect(try clicks(signature(6, power: 3)) == beats((0..<4).map { $0 * 36000 }, bar: 2))
    #expect(try clicks(signature(9, power: 3)) == beats((0..<4).map { $0 * 36000 }, bar: 3))
    #expect(try clicks(signature(3, power: 3)) == beats((0..<12).map { $0 * 12000 }, bar: 3))
    #expect(try clicks(signature(5, power: 3)) == beats((0..<12).map { $0 * 12000 }, bar: 5))
    // A signature begins a bar, also within one; one that holds already changes nothing.
    let changing = try clicks(signature(4, power: 2, after: 480), signature(3, power: 2, after: 480))
    #expect(changing.indices.filter { changing[$0].isFirst } == [0, 2, 5])
  }

  @Test("is silent while the song stands still, and where it is switched off")
  func silence() throws {
    let song = try ClickedSong(end(after: 16 * 480))
    song.events.play(song.timeline)
    _ = song.render(6400)
    song.events.isSongHeld = true
    #expect(song.clicks(100_032).isEmpty)
    song.events.isSongHeld = false
    #expect(song.clicks(24000).map(\.frame) == [6400 + 100_032 + 24000 - 6400])
    song.metronome.isOn.value = 0
    _ = song.render(9600)
    #expect(song.clicks(100_000).isEmpty)
  }

  @Test("keeps its own tempo without a song, from the quantum in which it is switched on")
  func free() throws {
    let song = try ClickedSong(end(), isOn: false)
    song.metronome.tempo.value = 96
    #expect(song.clicks(6400).isEmpty)
    song.metronome.isOn.value = 1
    #expect(song.clicks(91200) == (0..<4).map { .init(frame: 6400 + $0 * 30000, isFirst: false) })
    // What is left of the beat, 28800 frames, goes by twice as fast.
    song.metronome.tempo.value = 192
    #expect(song.clicks(40000).map(\.frame) == [112_000, 127_000])
    // A song has its own.
    song.events.play(song.timeline)
    #expect(song.clicks(48000).isEmpty)
  }

  @Test("adds nothing but its clicks, as loud as its level")
  func level() throws {
    let note = [0, 0x90, 60, 100] + vlq(480) + [0x80, 60, 0] as [UInt8]
    func samples(_ isOn: Bool) throws -> [Float] {
      let song = try ClickedSong(note, end(after: 480), isOn: isOn)
      song.metronome.level.value = -20
      song.events.play(song.timeline)
      return song.render(48000)
    }
    let (plain, clicked) = (try samples(false), try samples(true))
    let difference = zip(plain, clicked).map { $1 - $0 }
    #expect(abs(difference[0] - 0.1) < 1e-6 && abs(difference[24000] - 0.1) < 1e-6)
    #expect(difference[2400..<24000].allSatisfy { $0 == 0 } && plain.contains { abs($0) > 0.01 })
  }

  @Test("has no beats without end in a damaged file, nor those that are a tone")
  func damaged() throws {
    // A tick is a quarter note of a microsecond, and a beat a sixteenth of that.
    let track = signature(1, power: 6) + [0, 0xFF, 0x51, 3, 0, 0, 1] + end(after: 0x0FFF_FFFF)
    let bytes = smf(format: 0, division: 1, tracks: [track])
    let timeline = Timeline(Song(try MIDIFile(bytes: bytes)), sampleRate: 48000)
    #expect(timeline.duration > 12_000_000 && timeline.beats.count == 1)
  }
}
