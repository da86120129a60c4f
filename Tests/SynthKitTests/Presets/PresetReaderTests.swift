import SynthDSP
import Testing

@testable import SynthKit

@Suite struct PresetReaderTests {
  /// A preset file with these figures as gains, `bands[i]` on line 6 + i.
  static func text(gains: [String]) -> String {
    let bands = zip(EqualizerCurve.frequencies, gains).map { #"    { "frequency": \#(Int($0)), "gain": \#($1) }"# }
    return """
      {
        "version": 1,
        "title": "Test",
        "description": "For tests",
        "bands": [
      \(bands.joined(separator: ",\n"))
        ]
      }

      """
  }

  static let good = text(gains: (0..<10).map { "\($0)" })

  private func read(_ text: String) throws(ResourceError) -> EqualizerPreset {
    try EqualizerPresetReader.preset(named: "test", bytes: Array(text.utf8), path: "test.json")
  }

  @Test("a preset is read as it is written")
  func reading() throws {
    let preset = try read(Self.good)
    #expect(preset.name == "test")
    #expect(preset.title == "Test")
    #expect(preset.description == "For tests")
    #expect(preset.curve.gains == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  }

  @Test(
    "a fault is told in one line, with its place",
    arguments: [
      (#""gain": 3"#, #""gain": 40"#, "9:33: bands[3].gain: 40 dB is outside −24…24 dB; choose a gain within it"),
      (#""gain": 3"#, #""gain": 1e999"#, "9:33: bands[3].gain: ∞ dB is outside −24…24 dB; choose a gain within it"),
      (#""gain": 3"#, #""gain": "3""#, "9:33: bands[3].gain: expected a number, found a text"),
      (#""gain": 3"#, #""gian": 3"#, "9:25: bands[3].gian: unknown key; known are frequency, gain"),
      (#", "gain": 3"#, "", "9:5: bands[3].gain: missing; add it"),
      ("250", "251", "9:20: bands[3].frequency: 251 Hz is not the centre of this band; write 250"),
      (#""version": 1"#, #""version": 2"#, "2:14: version: 2 is not known; this program reads version 1"),
      (#""version": 1"#, #""version": 1.5"#, "2:14: version: 1.5 is not known; this program reads version 1"),
      (#""Test""#, #""""#, "3:12: title: expected a text of one line"),
      (#""Test""#, "7", "3:12: title: expected a text of one line"),
      (#"    { "frequency": 32, "gain": 0 },"#, "", "5:12: bands: 9 bands given; give 10, from 32 to 16000 Hz"),
      (#""gain": 3 }"#, #""gain": 3 "#, "10:5: expected a key in quotation marks; correct the file there"),
    ] as [(String, String, String)])
  func faults(part: String, replacement: String, message: String) throws {
    let start = try #require(Self.good.firstRange(of: part))
    var text = Self.good
    text.replaceSubrange(start, with: replacement)
    let error = #expect(throws: ResourceError.self) { try read(text) }
    #expect(error.map { "\($0)" } == "reading preset test.json:" + message)
  }

  @Test("something else than an object is refused")
  func notAnObject() {
    let error = #expect(throws: ResourceError.self) { try read("[]") }
    #expect(error.map { "\($0)" } == "reading preset test.json:1:1: expected an object, found a list")
    let bands = #"{"version": 1, "title": "a", "description": "b", "bands": {}}"#
    let second = #expect(throws: ResourceError.self) { try read(bands) }
    #expect(second.map { "\($0)" } == "reading preset test.json:1:59: bands: expected a list, found an object")
  }
}
