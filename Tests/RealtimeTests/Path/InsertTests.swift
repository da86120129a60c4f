import AudioGraph
import SynthInstruments
import SynthKit
import SynthMIDI
import SynthRealtime
import TestSupport
import Testing

@Suite("Inserts render without a violation")
struct InsertTests {
  private let synthesizer: Synthesizer
  private let buffer = SampleBuffer(channelCount: 2, frameCapacity: 64)

  init() throws {
    var configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont])
    configuration.equalizerPresets = []
    synthesizer = try Synthesizer(configuration)
    synthesizer.play(Song(try MIDIFile(path: TestFiles.song)))
    synthesizer.metronome.set(.on)
  }

  private func violations(_ frameCount: Int) -> Violations {
    var violations = Violations()
    for _ in 0..<frameCount / 64 {
      var slice = buffer.slice(frameCount: 64)
      violations.formUnion(
        RealtimeProbe.measure(AudioEngine.outputCallback, synthesizer.engine.outputContext, &slice))
    }
    return violations
  }

  @Test("in channels and main, while they come, move and go, and their mix and bypass change")
  func edits() throws {
    _ = violations(4800)
    var all = Violations()
    for kind in InsertKind.all where kind.name != "equalizer" {
      for strip in [.channel(0), .channel(9), .main] as [Strip] {
        let insert = try synthesizer.insert(kind.name, into: strip, at: 0)
        if kind.takesSideChain, strip != .main { try synthesizer.setSideChain(.channel(5), ofInsert: 0, of: strip) }
        all.formUnion(violations(1024))
        insert.mix.value = 30
        all.formUnion(violations(256))
        insert.bypass.value = 1
        try synthesizer.engine.schedule(
          insert.mix, to: 100, at: synthesizer.engine.sampleTime + 100, over: 200)
        all.formUnion(violations(1024))
        if synthesizer.inserts(of: strip).count > 1 { try synthesizer.moveInsert(0, of: strip, to: 1) }
        all.formUnion(violations(1024))
        if synthesizer.inserts(of: strip).count > 2 { try synthesizer.removeInsert(2, from: strip) }
      }
    }
    all.formUnion(violations(48000))
    #expect(all.isEmpty, "\(all)")
    #expect(synthesizer.latency > LimiterNode.latency)
  }
}
