import SynthMIDI
import TestSupport
import Testing

@Suite("Loop points")
struct LoopPointsTests {
  /// Half a second a beat, 480 ticks each.
  private func loops(_ format: UInt8 = 1, _ tracks: [UInt8]...) throws -> [String] {
    Song(try MIDIFile(bytes: smf(format: format, tracks: tracks.map { $0 + end(after: 480) }))).loopPoints.map {
      "\($0.convention.rawValue) \($0.start.tick)-\($0.end.tick) \($0.repeats.map { "\($0)" } ?? "ever")"
    }
  }

  private func control(_ number: UInt8, _ value: UInt8 = 0, after delta: Int = 0, on channel: UInt8 = 0) -> [UInt8] {
    vlq(delta) + [0xB0 | channel, number, value]
  }

  @Test("are markers of Final Fantasy VII, in any case and with spaces, or brackets")
  func markers() throws {
    #expect(
      try loops(1, text(6, "loopStart", after: 480) + text(6, "loopEnd", after: 960)) == ["markers 480-1440 ever"])
    #expect(
      try loops(1, text(6, "LoopStart ", after: 480), text(1, "LOOPEND", after: 960)) == ["markers 480-960 ever"])
    #expect(try loops(1, text(6, "[", after: 480) + text(6, "]", after: 480)) == ["brackets 480-960 ever"])
    #expect(try loops(1, text(5, "[", after: 480) + text(6, "verse [", after: 480)) == [])
  }

  @Test("reach from the start where only an end is given, and to the end where only a start is")
  func half() throws {
    #expect(try loops(1, text(6, "loopEnd", after: 960)) == ["markers 0-960 ever"])
    #expect(try loops(1, text(6, "loopStart", after: 480)) == ["markers 480-960 ever"])
    #expect(try loops(1, text(6, "loopStart", after: 480) + text(6, "loopEnd")) == [])
  }

  @Test("know their seconds")
  func seconds() throws {
    let song = Song(
      try MIDIFile(bytes: smf(tracks: [tempo(1_000_000) + text(6, "loopStart", after: 480) + end(after: 960)])))
    #expect(song.loopPoints.map(\.start.seconds) == [1] && song.loopPoints.map(\.end.seconds) == [3])
  }

  @Test("are RPG Maker's controller 111, back from the end of the song")
  func rpgMaker() throws {
    #expect(try loops(1, control(111, after: 480) + control(111, after: 480)) == ["rpgMaker 480-1440 ever"])
  }

  @Test("are Descent's and LeapFrog's controllers 110 and 111, which come in turns")
  func hmi() throws {
    #expect(
      try loops(1, control(110, 0, after: 480) + control(111, after: 480)) == ["controllers110And111 480-960 ever"])
    #expect(
      try loops(1, control(110, 3) + control(111, after: 480) + control(110, 127) + control(111, after: 480)) == [
        "controllers110And111 0-480 3", "controllers110And111 480-960 ever",
      ])
  }

  @Test("are EMIDI's controllers 116 and 117 of each track, told once where tracks agree, and 118 and 119 of all")
  func emidi() throws {
    let loop = control(116, 2, after: 480) + control(117, 127, after: 480)
    #expect(
      try loops(1, loop, loop, control(116) + control(117, 127, after: 480)) == [
        "emidiTrack 0-480 ever", "emidiTrack 480-960 2",
      ])
    // One track: by channel.
    let interleaved =
      control(116, 2) + control(116, 0, after: 240, on: 1) + control(117, after: 240)
      + control(117, after: 240, on: 1)
    #expect(try loops(0, interleaved) == ["emidiTrack 0-480 2", "emidiTrack 240-720 ever"])
    #expect(try loops(1, control(118, 0, after: 10) + control(119, 127, after: 10)) == ["emidiSong 10-20 ever"])
  }

  @Test("are not EMIDI's controllers 110 and 111, which choose a sound card")
  func emidiTracks() throws {
    #expect(try loops(1, control(110, 127) + control(111, 4), control(110, 127) + control(113, 4)) == [])
    #expect(try loops(1, control(110, 0), control(110, 1), control(111, 1, after: 1)) == [])
  }

  @Test("are the Nintendo 64's controllers 102 to 105, which are numbered, nest and count how often they are played")
  func nintendo64() throws {
    let nested =
      control(102, 1) + control(102, 2, after: 480) + control(104, 3) + control(103, 2, after: 480)
      + control(103, 1, after: 480)
    #expect(try loops(1, nested) == ["nintendo64 0-1440 ever", "nintendo64 480-960 2"])
    #expect(
      try loops(1, control(102, 1) + control(105, 2) + control(103, 1, after: 1)) == ["nintendo64 0-1 129"])
    #expect(try loops(1, control(102, 1) + control(104, 1) + control(103, 1, after: 1)) == [])
    #expect(try loops(1, control(102, 1) + control(103, 1, after: 1, on: 1)) == [])
  }

  @Test("are Touhou's controllers 2 and 4 of value 0, in a file of one track")
  func touhou() throws {
    let loop = control(2, after: 480) + control(4, after: 480)
    #expect(try loops(0, loop) == ["touhou 480-960 ever"])
    #expect(try loops(1, note(60), loop) == [])
    #expect(try loops(0, loop + control(2)) == [])
    #expect(try loops(0, control(2, 5) + control(4, 0, after: 1)) == [])
  }

  @Test("come by convention, then by time, and there are none in an ordinary song")
  func order() throws {
    let track = control(111) + text(6, "loopStart", after: 480) + text(6, "loopEnd", after: 480)
    #expect(try loops(1, track) == ["markers 480-960 ever", "rpgMaker 0-1440 ever"])
    #expect(try loops(1, note(60) + control(7, 100) + control(64, 127)) == [])
  }
}
