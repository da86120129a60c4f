import AudioGraph
import Foundation
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("A session's song", .timeLimit(.minutes(5)))
struct SongTransportTests {
  private let synthesizer: Synthesizer
  private let keyboard = VirtualSource("keyboard")
  private let recording = Recording()
  /// It ends with the last event.
  private let tail = Tail(threshold: 2, hold: 0, maximum: 1)

  init() throws {
    synthesizer = try Synthesizer(
      SynthesizerConfiguration(
        soundFonts: [try TestFiles.soundFont], isLimited: false, reverb: nil, chorus: nil))
  }

  private func session(_ sources: [any MIDISource] = []) -> Session {
    Session(synthesizer, output: recording.paced(), sources: sources)
  }

  /// An organ's note of a minute.
  private func organ() throws -> Song { try song([0, 0xC0, 19], strike(48, ticks: 57_600)) }

  @Test("has a position in its own time, and a part of it lasts as long as its tempo makes it")
  func part() throws {
    let session = session()
    session.tempo = 4
    try session.play(try organ(), from: 10, to: 14, tail: tail)
    #expect(session.duration == 60)
    session.wait()
    #expect(recording.left.count == 48_000)
    #expect(abs(session.position - 14) < 0.01)
  }

  @Test("goes on where it was sought to, also if it was paused, and says so at once")
  func seek() throws {
    let session = session()
    try session.play(try organ())
    #expect(recording.sounds())
    try session.pause()
    try session.seek(to: 30)
    #expect(session.isPaused && session.isSongPaused && session.position == 30)
    try session.skip(by: -5)
    #expect(session.position == 25)
    try session.skip(by: -50)
    #expect(session.position == 0)
    try session.skip(by: 100)
    #expect(session.position == 60)
    try session.seek(to: 20)
    try session.resumeSong()
    usleep(100_000)
    #expect((20...30).contains(session.position))
    try session.stop()
    #expect(throws: SongError.noSong) { try session.seek(to: 1) }
  }

  @Test("stands still while a keyboard plays on")
  func hold() throws {
    let session = session([keyboard])
    try session.play(try organ())
    #expect(recording.sounds())
    try session.pauseSong()
    #expect(session.isSongHeld && session.isPlaying)
    usleep(100_000)
    let position = session.position
    keyboard.send(.noteOn(channel: 3, note: 60, velocity7: 100))
    #expect(recording.sounds() && session.position == position)
    try session.resumeSong()
    usleep(100_000)
    #expect(session.position > position)
    try session.stop()
  }

  @Test("is over again after it was taken back")
  func again() throws {
    let session = session()
    try session.play(try song(strike(60, ticks: 96)), tail: tail, then: .playOn)
    for _ in 0..<2 {
      #expect(eventually { session.takeEvents().contains(.songEnded) })
      try session.seek(to: 0)
    }
    #expect(session.isPlaying)
    try session.stop()
  }

  @Test("repeats a passage that is set while it plays beyond it, from the passage's start")
  func loop() throws {
    let session = session()
    try session.play(try organ(), from: 40)
    try session.setLoop(SongLoop(10, 10.1))
    #expect(session.loop == SongLoop(10, 10.1))
    usleep(500_000)
    #expect((9.9...10.2).contains(session.position))
    try session.setLoop(nil)
    #expect(session.loop == nil)
    try session.stop()
  }

  @Test("repeats what the file asks for, or else all of it, to the frame")
  func ownLoop() throws {
    func marker(_ text: String, after ticks: Int) -> [UInt8] {
      vlq(ticks) + [0xFF, 6, UInt8(text.utf8.count)] + text.utf8
    }
    let marked = try song(
      [0, 0x90, 60, 100], marker("loopStart", after: 480), marker("loopEnd", after: 960), vlq(480) + [0x80, 60, 0])
    #expect(SongLoop(of: marked, passCount: 3) == SongLoop(0.5, 1.5, passCount: 3))
    let plain = try song(strike(60, ticks: 960))
    #expect(SongLoop(of: plain) == SongLoop(0, 1))
    let session = session()
    session.tempo = 4
    try session.play(marked, loop: SongLoop(of: marked, passCount: 3), tail: tail)
    session.wait()
    // Two seconds, and one of them twice more, at four times the tempo.
    #expect(recording.left.count == 48_000)
    // What rings would be faded first.
    try session.stop()
    try session.play(plain, loop: SongLoop(of: plain, passCount: 2), tail: tail)
    session.wait()
    #expect(recording.left.count == 48_000 + 24_000)
  }

  @Test("is looped and sought to its very end, also between two frames")
  func veryEnd() throws {
    let uneven = Song(try MIDIFile(bytes: smf(format: 0, tracks: [tempo(333_333) + strike(60, ticks: 700) + end()])))
    let session = session()
    try session.play(uneven)
    try session.setLoop(SongLoop(of: uneven))
    try session.seek(to: uneven.duration)
    try session.stop()
  }

  @Test("refuses places it has not, in words that say so")
  func refusals() throws {
    let session = session()
    let song = try organ()
    let refusals: [(SongError, String, () throws -> Void)] = [
      (.noSong, "no song is played", { try session.seek(to: 0) }),
      (.noSong, "no song is played", { try session.setLoop(nil) }),
      (
        .noSuchPlace(83, duration: 60), "1:23 is not in the song, which ends at 1:00",
        { try session.play(song, from: 83) }
      ),
      (
        .noSuchPlace(-1, duration: 60), "-0:01 is not in the song, which ends at 1:00",
        { try session.play(song, from: -1) }
      ),
      (
        .tooShort(10, 10), "from 0:10 to 0:10 is less than 0.05 s; give a later end",
        { try session.play(song, from: 10, to: 10) }
      ),
      (
        .tooShort(20, 10), "from 0:20 to 0:10 is less than 0.05 s; give a later end",
        { try session.play(song, loop: SongLoop(20, 10)) }
      ),
      (
        .beyondLoop(30, end: 20), "the start, 0:30, is not before the loop's end, 0:20",
        { try session.play(song, from: 30, loop: SongLoop(10, 20)) }
      ),
    ]
    for (error, line, attempt) in refusals {
      #expect(throws: error) { try attempt() }
      #expect("\(error)" == line)
    }
    #expect(!session.isPlaying)
  }

  @Test(
    "a time is read as people write it, and written so",
    arguments: [
      ("83", 83.0, "1:23"), ("83s", 83, "1:23"), ("1:23", 83, "1:23"), ("1:23.5", 83.5, "1:23.5"),
      ("0:01:23", 83, "1:23"),
      ("1:02:03", 3723, "1:02:03"), ("0", 0, "0:00"), ("90:00", 5400, "1:30:00"),
    ])
  func times(text: String, seconds: Double, written: String) {
    #expect(SongTime(parsing: text)?.seconds == seconds && "\(SongTime(seconds))" == written)
  }

  @Test(
    "anything else is no time",
    arguments: ["", ":", "1:", "1:60", "-1", "1:2:3:4", "1.5.2", "1e3", "nan", "1: 2", "1.5:3", "s", "1:23s", "83ss"])
  func noTimes(text: String) { #expect(SongTime(parsing: text) == nil) }
}
