import SynthInstruments
import SynthMIDI
import Testing

@Suite("The native engine's voices, shared out among threads, sound the same", .timeLimit(.minutes(5)))
struct CoresTests {
  @Test("bit for bit, for any number of threads", arguments: [2, 3, 16])
  func sameBits(_ count: Int) throws {
    let alone = try chords(RenderingCores(1))
    #expect(rms(alone.left) > 0.01)
    let together = try chords(RenderingCores(count))
    #expect(together.left == alone.left)
    #expect(together.right == alone.right)
  }

  /// Up to six batches on a channel, of which some end and others begin.
  private func chords(_ cores: RenderingCores) throws -> (left: [Float], right: [Float]) {
    try SineFont.withFile { font in
      var sampler = SamplerConfiguration(soundFonts: [font])
      sampler.engine = .native
      sampler.cores = cores
      let played = try PlayedRack(
        RackConfiguration(sampler: sampler, assignments: [InstrumentAssignment(.sampler)], polyphony: 64))
      played.separateFirstChannels()
      var (left, right): ([Float], [Float]) = ([], [])
      for round in 0..<4 {
        for channel in UInt8(0)..<16 {
          for key in UInt8(0)..<(channel < 2 ? 45 : 9) {
            let note = 30 + key
            let after = Int64(key) * 37
            if round % 2 == 1, key % 3 == 0 {
              played.play(.noteOff(channel: channel, note: note), after: after)
            } else {
              played.play(.noteOn(channel: channel, note: note, velocity7: 60 + key), after: after)
            }
          }
        }
        let frames = played.renderStereo(2048)
        left += frames.left
        right += frames.right
      }
      return (left, right)
    }
  }
}
