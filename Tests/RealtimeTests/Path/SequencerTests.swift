import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("A sequencer's song renders without a violation", .timeLimit(.minutes(5)))
struct SequencerTests {
  @Test("edits, mutes, rates, loops, pauses and seeks, while it sounds and before the last one has come about")
  func everything() throws {
    let path = try WholePath()
    let sequencer = try Sequencer(MusicSequence(try MIDIFile(path: TestFiles.song)), playing: path.sampler)
    sequencer.setUserCallback { _ in }
    sequencer.position = 16
    try sequencer.start()
    path.watched.render(48_000, sliceSize: 100)
    var voiceCount = 0
    for turn in 0..<24 {
      sequencer.tracks[turn % sequencer.tracks.count].isMuted.toggle()
      sequencer.rate = turn % 2 == 0 ? 0.6 : 2.3
      try sequencer.edit { sequence in
        try sequence.addNote(60, at: Double(16 + turn), for: 3)
        if turn % 4 == 0 { try sequence.setTempo(80 + Double(turn), at: 2) }
        if turn % 4 == 1 { try sequence.add(.message(.programChange(channel: 0, program: UInt8(turn))), at: 1) }
      }
      if turn % 5 == 2 { sequencer.pause() }
      if turn % 5 == 3 { try sequencer.start() }
      if turn % 6 == 5 { sequencer.loop = turn % 4 == 1 ? nil : SequencerLoop(18, 20, passCount: 2) }
      if turn % 4 == 2 { sequencer.tracks[turn % sequencer.tracks.count].loop = SequencerLoop(16, 17) }
      if turn % 7 == 6 { sequencer.position = Double(turn) }
      path.watched.render(turn % 3 == 0 ? 64 : 6_000, sliceSize: 333)
      voiceCount = max(voiceCount, path.sampler.activeVoiceCount)
    }
    sequencer.stop()
    path.watched.render(48_000)
    #expect(voiceCount > 0)
    #expect(path.watched.violations.isEmpty, "\(path.watched.violations)")
  }
}
