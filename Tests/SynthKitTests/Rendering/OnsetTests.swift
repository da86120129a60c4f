import SynthInstruments
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("The first note")
struct OnsetTests {
  /// 1 ms of a constant at 48 kHz.
  private static let tick = SoundFontBytes(.init([Int16](repeating: 20000, count: 48)), [.init(playing: 0)])

  /// Every 6400 frames.
  private static let notes = (0..<4).map { _ in [0, 0x90, 60, 100] + vlq(128) + [0x80, 60, 64] }

  @Test("of a song, or after a seek, sounds as the others", arguments: SamplerEngine.allCases)
  func song(_ engine: SamplerEngine) throws {
    let plain = try SynthKitTests.song(Self.notes.flatMap(\.self))
    let controlled = try SynthKitTests.song([0, 0xB0, 7, 60, 0, 0xB0, 11, 90], Self.notes.flatMap(\.self))
    try Self.tick.withFile { path in
      var configuration = SynthesizerConfiguration(soundFonts: [path], reverb: nil)
      configuration.instruments.sampler.engine = engine
      for (song, start) in [(plain, 0), (controlled, 0), (controlled, 6400)] as [(Song, Int64)] {
        let synthesizer = try Synthesizer(configuration)
        synthesizer.instruments.events.play(Timeline(song, sampleRate: 48000), from: start)
        let samples = synthesizer.samples(3 * 6400)[0]
        let first = try #require(samples.firstIndex { $0 != 0 })
        let peaks = stride(from: first, to: samples.count, by: 6400).map { samples[$0...].prefix(3200).max() ?? 0 }
        #expect(peaks.count == 3 && peaks[0] > 0.001)
        for peak in peaks { #expect(abs(peak / peaks[0] - 1) < 0.001, "\(peaks)") }
      }
    }
  }
}
