import AudioGraph
import SynthInstruments
import SynthMIDI
import Testing

@Suite("Arguments of players that make no sense")
struct PlayingArgumentTests {
  @Test("a sampler refuses keys, values and channels that MIDI has not")
  func sampler() throws {
    let sampler = try SamplerNode()
    #expect(sampler.noteOn(127, velocity: 127, channel: 15) && sampler.noteOff(127, channel: 15))
    for wrong in [128, 200, 255] as [UInt8] {
      #expect(!sampler.noteOn(wrong) && !sampler.noteOn(60, velocity: wrong) && !sampler.noteOff(wrong))
      #expect(!sampler.controlChange(.volume, wrong))
      #expect(!sampler.programChange(wrong) && !sampler.programChange(0, bank: wrong))
    }
    for channel in [16, 99, 255] as [UInt8] {
      #expect(!sampler.noteOn(60, channel: channel) && !sampler.noteOff(60, channel: channel))
      #expect(!sampler.controlChange(.volume, 0, channel: channel) && !sampler.pitchBend(0, channel: channel))
      #expect(!sampler.programChange(0, channel: channel))
    }
    #expect(!sampler.pitchBend(.nan) && sampler.pitchBend(.infinity) && sampler.pitchBend(-1e300))
    #expect(sampler.lostMessageCount == 0)
    for time in [Int64.min, -1, .max] { _ = sampler.noteOn(60, at: time) }
  }

  @Test(
    "tunings, tempos and rates are clamped, and NaN is ignored",
    arguments: [Double.infinity, -Double.infinity, 1e300, -1])
  func clamped(_ number: Double) throws {
    let sampler = try SamplerNode()
    sampler.tuning = 100
    sampler.tuning = .nan
    #expect(sampler.tuning == 100)
    sampler.tuning = number
    #expect((-2400...2400).contains(sampler.tuning))
    sampler.events.tempo = 2
    sampler.events.tempo = .nan
    #expect(sampler.events.tempo == 2)
    sampler.events.tempo = number
    #expect(EventInput.tempoRange.contains(sampler.events.tempo))
    let sequencer = try Sequencer(.notes([(60, 1, 1)]), playing: sampler)
    (sequencer.rate, sequencer.position) = (2, 1)
    (sequencer.rate, sequencer.position) = (.nan, .nan)
    #expect(sequencer.rate == 2 && sequencer.position == 1)
    (sequencer.rate, sequencer.position) = (number, number)
    #expect((0.25...4).contains(sequencer.rate) && (0...2).contains(sequencer.position))
    for loop in [SequencerLoop(.nan, 1), SequencerLoop(0, .nan), SequencerLoop(number, number, passCount: .min)] {
      sequencer.loop = loop
      try sequencer.start()
      sequencer.stop()
    }
    let sink = MIDISinkDestination(MIDIRecorder(), sampleRate: number)
    sequencer.tracks[0].destination = sink
    try sequencer.start()
    sequencer.stop()
    #expect((1...1_000_000).contains(sink.sampleRate))
    #expect(sequencer.hostTime(forBeat: number) == nil && sequencer.frame(forBeat: .nan) == nil)
  }

  @Test("a program's own destination may tell any rate", arguments: [Double.nan, 0, -1, .infinity, 1e300])
  func destinationRates(_ rate: Double) throws {
    let destinations = [ReadDestination(sampleRate: rate), ReadDestination()]
    let sequence = try MusicSequence.notes([(60, 0, 1)], [(61, 0, 1)])
    for clock in destinations {
      let sequencer = try Sequencer(sequence, playing: clock)
      for (track, destination) in destinations.enumerated() { sequencer.tracks[track].destination = destination }
      try sequencer.start()
      _ = destinations.map { $0.read(100) }
      sequencer.position = 0.5
      sequencer.rate = 2
      sequencer.pause()
      #expect(sequencer.position.isFinite)
    }
  }
}
