import SynthMIDI
import Testing

@Suite("Arguments of a song's edits that make no sense")
struct SequenceArgumentTests {
  @Test("notes, velocities and channels that MIDI has not are refused, and the song stays as it was")
  func notes() throws {
    var sequence = MusicSequence()
    let before = sequence
    func refusal(_ argument: String, _ value: Double, _ range: ClosedRange<Double>) -> MusicSequenceError {
      .outOfRange(argument: argument, value: value, range)
    }
    #expect(throws: refusal("note", 255, 0...127)) { try sequence.addNote(255, at: 0, for: 1) }
    #expect(throws: refusal("velocity", 0, 1...127)) { try sequence.addNote(60, velocity: 0, at: 0, for: 1) }
    #expect(throws: refusal("velocity", 128, 1...127)) { try sequence.addNote(60, velocity: 128, at: 0, for: 1) }
    #expect(throws: refusal("channel", 99, 0...15)) { try sequence.addNote(60, channel: 99, at: 0, for: 1) }
    #expect(
      "\(refusal("channel", 99, 0...15))"
        == "editing a song: the channel 99.0 is out of range; give 0.0 to 15.0")
    #expect(sequence == before)
  }

  @Test("so are beats and tempos", arguments: [Double.nan, .infinity, -Double.infinity, -1, 1e300])
  func times(_ number: Double) throws {
    var sequence = MusicSequence()
    let before = sequence
    #expect(throws: MusicSequenceError.self) { try sequence.addNote(60, at: number, for: 1) }
    #expect(throws: MusicSequenceError.self) { try sequence.addNote(60, at: 0, for: number) }
    #expect(throws: MusicSequenceError.self) { try sequence.setTempo(120, at: number) }
    for tempo in [number, 0, 3.5] {
      #expect(throws: MusicSequenceError.self) { try sequence.setTempo(tempo) }
    }
    #expect(throws: MusicSequenceError.self) { try sequence.add(.tempo(number), at: 0, track: .max) }
    #expect(sequence == before)
    _ = [MusicEvent.Content.tempo(number), .tempo(0)].map(\.tempo)
    _ = sequence.tempoMap.seconds(atBeat: number)
  }
}
