import AudioGraph
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("What crosses between those who exchange a rack's instruments and its audio thread", .timeLimit(.minutes(5)))
struct ExchangeCrossingTests {
  @Test("two threads exchange, load and ask what plays while it renders, and every set but the last comes home")
  func exchanges() throws {
    let output = ThreadedOutput()
    let engine = AudioEngine(output: output)
    let rack = try TestNodes.sampler(polyphony: 16, preload: .used([]))
    let sink = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      try graph.attach(rack)
      try graph.attach(sink)
      try graph.connect(rack, to: sink)
    }
    try engine.start()
    let other = RunningThread {
      for _ in 0..<20 {
        try? rack.loadAskedPresets()
        try? rack.exchange(rack.configuration)
      }
    }
    for round in UInt8(0)..<20 {
      _ = rack.events.send(MIDIEvent(time: 0, message: .programChange(channel: round % 16, program: round * 3)))
      _ = rack.events.send(MIDIEvent(time: 0, message: .noteOn(channel: round % 16, note: 60, velocity7: 90)))
      try rack.exchange(rack.configuration)
      for channel in 0..<16 { #expect(rack.preset(ofChannel: channel).map { $0.bank != nil } ?? true) }
    }
    other.join()
    // Fades what rings, and brings what was asked for last.
    for channel in UInt8(0)..<16 {
      _ = rack.events.send(MIDIEvent(time: 0, message: .controlChange(channel: channel, .allSoundOff, value7: 0)))
    }
    #expect(
      eventually {
        _ = rack.activeVoiceCount
        return rack.collect()
      })
    try engine.stop()
  }
}
