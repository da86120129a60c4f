import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

@Suite("A track that is repeated", .timeLimit(.minutes(5)))
struct TrackLoopTests {
  private let destination = ReadDestination()

  /// Two keys of the first track in a passage of 0.7 beats from beat 0.3 on, at a tempo that changes; a second track of
  /// long notes. Nothing of it falls on whole frames.
  private func sequence() throws -> MusicSequence {
    var sequence = try MusicSequence.notes(
      [(60, 0.3, 0.2), (61, 0.8, 0.1)], (0..<20).map { (70, Double($0), 0.9) })
    for (step, tempo) in [97.0, 143, 61].enumerated() { try sequence.setTempo(tempo, at: 5.5 * Double(step)) }
    return sequence
  }

  @Test("plays what a sequence does in which it is written out, to the frame, while the others go on")
  func unrolled() throws {
    var written = try sequence()
    for pass in 1..<28 {
      // Ticks are a 480th of a beat: 0.7 is 336 of them.
      try written.addNote(60, at: 0.3 + 0.7 * Double(pass), for: 0.2)
      try written.addNote(61, at: 0.8 + 0.7 * Double(pass), for: 0.1)
    }
    let expected = ReadDestination()
    let (looped, unrolled) = (
      try Sequencer(sequence(), playing: destination), try Sequencer(written, playing: expected)
    )
    looped.tracks[0].loop = SequencerLoop(0.3, 1)
    try looped.start()
    try unrolled.start()
    let notes = expected.read(6000)
    #expect(destination.read(6000) == notes && notes.count > 70)
    // Amid a round.
    for beat in [7.123, 2, 12.9] {
      (looped.position, unrolled.position) = (beat, beat)
      let (a, b) = (destination.read(2000), expected.read(2000))
      #expect(a == b && a.count > 10, "\(beat)")
    }
  }

  @Test("fractions of ticks do not add up")
  func fractions() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 0.1)]), playing: destination)
    sequencer.tracks[0].loop = SequencerLoop(0, 1 / 3.3)
    try sequencer.start()
    let starts = destination.read(375 * 100).filter { $0.hasSuffix("on 1 60") }
    // The nearest ticks, of 50 frames.
    #expect(
      starts
        == (0..<starts.count).map { "\(Int((Double($0) * 480 / 3.3).rounded()) * 50) on 1 60" }
        && starts.count == 330)
  }

  @Test("what it holds at the end is released there, and channels are told what it had told them")
  func ends() throws {
    var sequence = try MusicSequence.notes([(60, 0.5, 9)])
    let controls: [(Controller, UInt8, Double)] = [
      (.volume, 50, 0), (.volume, 90, 0.75), (.pan, 3, 0.75), (.sustain, 127, 0.6),
    ]
    for (controller, value, beat) in controls {
      try sequence.add(.message(.controlChange(channel: 0, controller, value7: value)), at: beat)
    }
    let sequencer = try Sequencer(sequence, playing: destination)
    sequencer.tracks[0].loop = SequencerLoop(0.5, 1, passCount: 2)
    try sequencer.start()
    let events = destination.read(376)
    #expect(events.prefix(2) == ["0 cc 1 7=50", "12000 on 1 60"])
    #expect(events.filter { $0.hasPrefix("24000") }.prefix(2) == ["24000 off 1 60", "24000 cc 1 64=0"])
    #expect(events.contains("24000 cc 1 7=50") && events.contains("24000 cc 1 10=64") && events.last == "24000 on 1 60")
    // The second time it goes on: half a beat later, at beat 10, the key is released.
    #expect(sequencer.duration == 10)
    #expect(destination.read(4000).last == "240000 off 1 60")
  }

  @Test("begins, changes and ends while it plays, later and shorter, muted and alone")
  func whilePlaying() throws {
    let sequencer = try Sequencer(
      .notes([(60, 0, 0.5), (61, 1, 0.5), (62, 2, 0.5)], [(70, 0, 8)]), playing: destination)
    try sequencer.start()
    _ = destination.read(100)
    sequencer.tracks[0].loop = SequencerLoop(0, 1)
    #expect(destination.read(375 * 3).filter { $0.contains("on") } == (1...3).map { "\($0 * 24_000) on 1 60" })
    sequencer.tracks[0].offset = 0.5
    #expect(destination.read(475).filter { $0.contains("on") } == ["84000 on 1 60", "108000 on 1 60"])
    sequencer.tracks[0].isMuted = true
    #expect(destination.read(375) == ["108800 off 1 60"])
    sequencer.tracks[0].isMuted = false
    sequencer.tracks[0].length = 0
    #expect(destination.read(375).filter { $0.contains("on") } == [])
    sequencer.tracks[0] = SequencerTrack(destination)
    #expect(destination.read(375 * 2) == ["192000 off 2 70"])
    for value in [.nan, .infinity, -1, 1e300, 1e-300] as [Double] {
      for passCount in [nil, 0, -1, 3] as [Int?] {
        sequencer.tracks[0].loop = SequencerLoop(value, 1, passCount: passCount)
        sequencer.tracks[0].loop = SequencerLoop(0, value, passCount: passCount)
        _ = destination.read(2)
      }
    }
    sequencer.tracks[0].loop = SequencerLoop(0, 1, passCount: .max)
    #expect((1000...250_000).contains(sequencer.duration))
  }

  @Test("without a number of passes it goes on, far beyond what is written out at first")
  func endless() throws {
    let sequencer = try Sequencer(.notes([(60, 0, 0.5)]), playing: destination)
    sequencer.tracks[0].loop = SequencerLoop(0, 1)
    #expect(sequencer.duration == 100_000)
    sequencer.rate = 4
    try sequencer.start()
    let isShort = { sequencer.state.withLock { $0.rendition.isShort(at: 2100) } }
    #expect(isShort())
    var count = destination.read(2100 * 375 / 4).count
    #expect(eventually { !isShort() })
    count += destination.read(3000 * 375 / 4).count
    #expect(count == 2 * 5100)
    sequencer.position = 99_998.5
    sequencer.rate = 1
    #expect(destination.read(2000).filter { $0.hasSuffix("on 1 60") }.count == 1 && !sequencer.isPlaying)
  }
}
