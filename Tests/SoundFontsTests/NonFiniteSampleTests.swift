import Testing

@testable import SynthSoundFonts

@Suite("Audio files of samples that are not finite")
struct NonFiniteSampleTests {
  @Test("as an instrument have 0 in their place")
  func wave() throws {
    let samples: [Float] = [0.5, .nan, .infinity, -.infinity, 2, -2]
    #expect(samples.map(SampleFile.word) == [4_194_304, 0, 0, 0, 8_388_607, -8_388_608])
  }
}
