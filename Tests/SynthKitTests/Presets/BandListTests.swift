import SynthDSP
import SynthKit
import Testing

@Suite("Presets written out")
struct BandListTests {
  private let library = EqualizerPresetLibrary(directories: [])

  @Test("ten gains are the curve, from the lowest band up")
  func gains() throws {
    let preset = try library.preset("bands:3,2,0,0,-1.5,0,0,0,1,24")
    #expect(preset.curve.gains == [3, 2, 0, 0, -1.5, 0, 0, 0, 1, 24])
    #expect(preset.name == "bands:3,2,0,0,-1.5,0,0,0,1,24")
  }

  @Test(
    "all else is refused with one line",
    arguments: [
      "", "1,2,3", "1,2,3,4,5,6,7,8,9,", "0,0,0,0,0,0,0,0,0,25", "a,0,0,0,0,0,0,0,0,0", "nan,0,0,0,0,0,0,0,0,0",
    ])
  func refusals(_ text: String) {
    let reason = "not ten gains of −24 to 24 dB, from 32 Hz to 16 kHz, as in bands:3,2,0,0,0,0,0,0,1,2"
    #expect(throws: ResourceError.unreadable(path: "bands:\(text)", reason: reason)) {
      try library.preset("bands:\(text)")
    }
  }
}
