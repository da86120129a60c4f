import Foundation
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("Songs of a session that follow one another", .timeLimit(.minutes(5)))
struct SongQueueTests {
  private let period = 256
  private let synthesizer: Synthesizer
  private let output: HandOutput
  private let session: Session

  init() throws {
    synthesizer = try Synthesizer(
      SynthesizerConfiguration(
        soundFonts: [try TestFiles.soundFont], isLimited: false, reverb: nil, chorus: nil))
    output = HandOutput(sampleRate: 48000, period: period)
    session = Session(synthesizer, output: output)
  }

  /// It ends with the last event.
  private let tail = Tail(threshold: 2, hold: 0, maximum: 1)

  private func alone(_ song: Song, _ count: Int) throws -> [Float] {
    let fresh = try Synthesizer(
      SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], isLimited: false, reverb: nil, chorus: nil))
    fresh.play(song)
    return fresh.samples(count)[0]
  }

  @Test("the next begins with the slice after the one in which the present one has died away, and sounds as alone")
  func gapless() throws {
    let (first, second) = (try song(strike(60, ticks: 480)), try song([0, 0xC0, 19], strike(67, ticks: 480)))
    try session.play(first)
    try session.queue(second)
    #expect(throws: SongError.alreadyQueued) { try session.queue(second) }
    while session.isSongQueued, output.left.count < 480_000 { output.turn() }
    // In the slice just rendered, what rings inaudibly is faded; the second song begins after it.
    let start = output.left.count
    let sounding = try #require(output.left[..<start].lastIndex { abs($0) >= 3.162_278e-5 })
    // A tenth of a second of silence tells that a song has died away.
    #expect((4800...4800 + 3 * period).contains(start - sounding - 1))
    #expect(session.isPlaying && session.takeEvents().contains(.songEnded))
    while output.left.count < start + 48000 { output.turn() }
    #expect(session.duration == second.duration && abs(session.position - 1) < 0.01)
    #expect(Array(output.left[..<24000]) == (try alone(first, 24000)))
    #expect(Array(output.left[start..<(start + 24000)]) == (try alone(second, 24000)))
  }

  @Test("the last of them ends the session, and without any the present one does")
  func end() throws {
    try session.play(try song(strike(60, ticks: 48)), tail: tail)
    try session.queue(try song(strike(60, ticks: 48)), tail: tail)
    var count = 0
    while output.isRunning, count < 1000 {
      let before = output.left.count
      output.turn()
      count += 1
      if output.left.count < before + period { break }
    }
    // Each lasts 2400 frames, the first to the end of its slice, and the one after it, in which it is faded.
    #expect(output.left.count == 2560 + period + 2400)
    #expect(!session.isSongQueued)
  }

  @Test("one that is queued too late, when the session has ended, does not keep the next one from ending")
  func late() throws {
    let short = try song(strike(60, ticks: 48))
    func turnToTheEnd() {
      for _ in 0..<1000 {
        let before = output.left.count
        output.turn()
        if output.left.count < before + period { return output.stop() }
      }
    }
    try session.play(short, tail: tail)
    turnToTheEnd()
    #expect(!session.isPlaying)
    try session.queue(short, tail: tail)
    try session.play(short, tail: tail)
    #expect(session.isPlaying && !session.isSongQueued)
    turnToTheEnd()
    #expect(!session.isPlaying)
  }

  @Test("one that is queued is forgotten by another that is played, and by a stop")
  func forgotten() throws {
    #expect(throws: SongError.noSong) { try session.queue(try song(strike(60, ticks: 48))) }
    try session.play(try song(strike(60, ticks: 480)), tail: tail, then: .playOn)
    try session.queue(try song(strike(61, ticks: 480)), tail: tail)
    try session.play(try song(strike(62, ticks: 4800)), tail: tail, then: .playOn)
    #expect(!session.isSongQueued)
    for _ in 0..<1000 { output.turn() }
    #expect(session.duration == 5 && session.isPlaying)
    // It is over; what is queued now begins at once.
    try session.queue(try song(strike(61, ticks: 480)), tail: tail)
    output.turn()
    output.turn()
    #expect(session.duration == 0.5)
    try session.queue(try song(strike(61, ticks: 480)))
    try session.stop()
    #expect(!session.isSongQueued)
  }
}
