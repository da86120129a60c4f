import AudioGraph
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("What crosses between those who edit a sequencer's song and its audio thread", .timeLimit(.minutes(5)))
struct SequencerCrossingTests {
  @Test("two threads edit, mute, seek and ask where it is while two racks render, which begin together")
  func edits() throws {
    let output = ThreadedOutput()
    let engine = AudioEngine(output: output)
    let racks = try (0..<2).map { _ in try TestNodes.sampler(polyphony: 16) }
    let mixer = MixerNode(inputBusCount: 2 * RackNode.channelCount)
    let sink = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      for node in racks + [mixer, sink] as [any AudioNode] { try graph.attach(node) }
      for bus in 0..<2 * RackNode.channelCount {
        try graph.connect(racks[bus / 16], to: mixer, fromBus: bus % 16, toBus: bus)
      }
      try graph.connect(mixer, to: sink)
    }
    let sequencer = try Sequencer(MusicSequence(try MIDIFile(path: TestFiles.song)), playing: racks[0])
    for track in sequencer.tracks.indices where track % 2 == 1 { sequencer.tracks[track].destination = racks[1] }
    sequencer.setUserCallback { _ in _ = sequencer.position }
    try engine.start()
    try sequencer.start()
    let other = RunningThread {
      for round in 0..<20 {
        sequencer.rate = 0.5 + Double(round % 5) / 2
        _ = (sequencer.position, sequencer.hostTime(forBeat: 4), sequencer.isPlaying)
      }
    }
    for round in 0..<20 {
      sequencer.tracks[round % 4].isMuted.toggle()
      try sequencer.edit { try $0.addNote(60, at: Double(round), for: 2) }
      if round % 6 == 5 { sequencer.position = Double(round) }
      #expect((0...sequencer.duration).contains(sequencer.position))
    }
    other.join()
    sequencer.rate = 0.7
    sequencer.position = 4
    // Both begin at one frame.
    let clocks = racks.map(\.events.clock)
    #expect(eventually { clocks[0].songFrame(at: 1e9) == clocks[1].songFrame(at: 1e9) })
    sequencer.setUserCallback(nil)
    sequencer.stop()
    try engine.stop()
  }
}
