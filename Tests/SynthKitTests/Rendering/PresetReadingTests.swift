import SynthInstruments
import Testing

@testable import SynthKit

@Test("A batch reads and designs no equalizer presets for each song, unless it is given some")
func batchWithoutPresets() {
  let pool = SoundFontPool()
  var configuration = SynthesizerConfiguration(soundFonts: [])
  #expect(configuration.preloading(nil, from: pool).equalizerPresets == [])
  configuration.equalizerPresets = [.flat]
  #expect(configuration.preloading(nil, from: pool).equalizerPresets == [.flat])
}
