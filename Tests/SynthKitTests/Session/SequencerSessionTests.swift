import SynthInstruments
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("A sequencer in a session", .timeLimit(.minutes(10)))
struct SequencerSessionTests {
  private let output = HandOutput(sampleRate: 48000, period: 100)

  private func session() throws -> Session {
    let configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont])
    return Session(try Synthesizer(configuration), output: output)
  }

  @Test("gives the samples that the session gives of the same song, from its start and from a beat of it")
  func same() throws {
    let file = try MIDIFile(path: TestFiles.song)
    let (song, sequence) = (Song(file), MusicSequence(file))
    for beat in [0.0, 40] {
      let plain = try session()
      try plain.play(song, from: song.tempoMap.seconds(atBeat: beat), then: .playOn)
      let offset = output.left.count
      for _ in 0..<2400 { output.turn() }
      try plain.stop()

      let sequenced = try session()
      let sequencer = try Sequencer(sequence, playing: sequenced.synthesizer.instruments)
      sequencer.position = beat
      try sequenced.start()
      try sequencer.start()
      let middle = output.left.count
      for _ in 0..<2400 { output.turn() }
      #expect(abs(sequencer.position - song.tempoMap.beat(atSeconds: sequenced.position)) < 0.01)
      let (former, latter) = (output.left[offset..<middle], output.left[middle...])
      #expect(former.elementsEqual(latter) && former.contains { abs($0) > 0.01 })
      try sequenced.stop()
    }
  }

  @Test("an edit that changes nothing that is heard changes no sample")
  func editsUnheard() throws {
    let file = try MIDIFile(path: TestFiles.song)
    var renderings: [[Float]] = []
    for isEdited in [false, true] {
      let session = try session()
      let sequencer = try Sequencer(MusicSequence(file), playing: session.synthesizer.instruments)
      try session.start()
      try sequencer.start()
      let start = output.left.count
      for turn in 0..<1600 {
        output.turn()
        guard isEdited, turn % 100 == 50 else { continue }
        try sequencer.edit { try $0.addText("x", .marker, at: 1) }
        sequencer.rate = 1
        sequencer.tracks[0].offset = 0
      }
      renderings.append(Array(output.left[start...]))
      try session.stop()
    }
    let (plain, edited) = (renderings[0], renderings[1])
    #expect(plain == edited && plain.contains { abs($0) > 0.01 })
  }

  @Test("a song that a stopped session has taken away begins again with the next start")
  func stopped() throws {
    let session = try session()
    let sequencer = try Sequencer(
      MusicSequence(try MIDIFile(path: TestFiles.song)), playing: session.synthesizer.instruments)
    for isPaused in [false, true] {
      try session.start()
      try sequencer.start()
      for _ in 0..<10 { output.turn() }
      #expect(sequencer.isPlaying && sequencer.position > 0)
      if isPaused { sequencer.pause() }
      try session.stop()
      #expect(!sequencer.isPlaying && session.synthesizer.instruments.events.hasPlayed)
    }
  }
}
