import SynthInstruments
import Testing

@testable import SynthKit

@Suite("Patch files")
struct PatchReaderTests {
  private static let good = """
    {
      "version": 1,
      "title": "Test",
      "description": "For tests",
      "mode": "mono",
      "oscillators": [
        { "wave": "saw" },
        { "wave": "pulse", "level": -6, "width": 0.25 }
      ],
      "amplitude": { "attack": 0.01, "decay": 1, "sustain": 0.5, "release": 0.2 },
      "filter": { "cutoff": 800, "amount": 2.5 },
      "unison": { "voices": 3, "detune": 20 }
    }

    """

  private func read(_ text: String) throws(ResourceError) -> Patch {
    try PatchReader.patch(named: "test", bytes: Array(text.utf8), path: "test.json")
  }

  @Test("are read as they are written, and what is left out has its default")
  func reading() throws {
    let patch = try read(Self.good)
    #expect(patch.title == "Test")
    #expect(patch.mode == .mono)
    #expect(patch.oscillators == [.init(.saw), .init(.pulse, level: -6, width: 0.25)])
    #expect(patch.amplitude == .init(attack: 0.01, decay: 1, sustain: 0.5, release: 0.2))
    #expect(patch.filter?.cutoff == 800)
    #expect(patch.filter?.amount == 2.5)
    #expect(patch.filter?.resonance == -3)
    #expect(patch.unison == .init(voices: 3, detune: 20))
    #expect(patch.noise == nil)
    #expect(patch.lfo == .init())
  }

  @Test(
    "tell a fault in one line, with its place",
    arguments: [
      ("0.25", "2", "8:46: oscillators[1].width: 2 is outside 0.02…0.98; choose a number within it"),
      (#""saw""#, #""square""#, "7:15: oscillators[0].wave: expected one of saw, pulse, triangle, sine"),
      (#""mono""#, #""duo""#, "5:11: mode: expected one of poly, mono, legato"),
      (#", "release": 0.2"#, "", "10:16: amplitude.release: missing; add it"),
      (#""cutoff": 800, "#, "", "11:13: filter.cutoff: missing; add it"),
      ("800", #""800""#, "11:25: filter.cutoff: expected a number, found a text"),
      (
        "amount", "ammount",
        "11:30: filter.ammount: unknown key; known are cutoff, resonance, tracking, envelope, amount, "
          + "velocity, pressure"
      ),
      (#""voices": 3"#, #""voices": 2.5"#, "12:25: unison.voices: expected a whole number"),
      (#""voices": 3"#, #""voices": 9"#, "12:25: unison.voices: 9 is outside 1…8; choose a number within it"),
      (
        #"{ "wave": "saw" },"#, #"{ "wave": "saw" }, { "wave": "saw" },"#,
        "6:18: oscillators: 3 oscillators given; give one or two"
      ),
      (#""version": 1"#, #""version": 2"#, "2:14: version: 2 is not known; this program reads version 1"),
    ])
  func faults(part: String, replacement: String, message: String) throws {
    let range = try #require(Self.good.firstRange(of: part))
    let text = Self.good.replacingCharacters(in: range, with: replacement)
    let error = #expect(throws: ResourceError.self) { try read(text) }
    #expect(error.map { "\($0)" } == "reading preset test.json:" + message)
  }

  @Test("are told from any damaged text without a trap")
  func damage() {
    let bytes = Array(Self.good.utf8)
    for position in bytes.indices {
      for byte in [UInt8(ascii: "-"), UInt8(ascii: "9")] {
        var damaged = bytes
        damaged[position] = byte
        guard let patch = try? PatchReader.patch(named: "test", bytes: damaged, path: "test.json") else { continue }
        #expect((1...2).contains(patch.oscillators.count))
      }
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    var result = self
    result.replaceSubrange(range, with: text)
    return result
  }
}
