import AudioGraph
import Foundation
import SynthAudioFiles
import TestSupport
import Testing

@testable import SynthKit

@Suite("Scenes", .timeLimit(.minutes(5)))
struct SceneTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "scenes-\(UUID())").path

  init() throws { try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true) }

  private func read(_ text: String) throws -> Scene { try Scene(Array(text.utf8), path: "\(directory)/a.json") }

  private func error(_ text: String) -> String {
    do {
      return "\(try read(text))"
    } catch {
      return "\(error)"
    }
  }

  @Test("what is inserted and set becomes a document, and the document the same again")
  func roundTrip() throws {
    let impulse = "\(directory)/hall.wav"
    let file = try AudioFileWriter(path: impulse, samples: .float32, sampleRate: 48000, channelCount: 1)
    try file.write(interleaved: [1, 0, 0, 0.5], frameCount: 4)
    try file.finish()
    let one = try InsertTests.synthesizer()
    let compressor = try one.insert("compressor", into: .channel(9))
    try compressor.effect.parameter(named: "threshold", of: .global).value = -31.3
    try compressor.effect.parameter(named: "detector", of: .global).value = 1
    compressor.bypass.value = 1
    try one.setSideChain(.channel(0), ofInsert: 0, of: .channel(9))
    let equalizer = try one.insert("equalizer", into: .main)
    try one.engine.set("curve", of: equalizer.effect, to: [1, 2, 3, 0, 0, 0, 0, 0, 0, -4.5])
    try one.insert("reverb", into: .main).mix.value = 12.5
    try one.insert("convolver", into: .channel(0), file: impulse)
    let scene = one.scene
    let text = scene.text
    #expect(
      text == """
        {
          "version": 1,
          "strips": {
            "channel 1": {"inserts": [{"effect": "convolver", "file": "\(impulse)"}]},
            "channel 10": {"inserts": [{"effect": "compressor", "bypass": true, \
        "sideChain": "channel 1", "parameters": \
        {"detector": "RMS", "threshold": -31.3}}]}
          },
          "buses": {
            "main": {"inserts": [{"effect": "equalizer", "parameters": {"curve": \
        [1, 2, 3, 0, 0, 0, 0, 0, 0, -4.5]}}, {"effect": "reverb", "mix": 12.5}]}
          }
        }

        """)
    #expect(try read(text) == scene)
    let other = try InsertTests.synthesizer { $0.scene = scene }
    #expect(other.scene == scene)
    let detector = try other.inserts(of: .channel(9))[0].effect.parameter(named: "detector", of: .global)
    #expect(detector.value == 1)
    // A relative path is looked for beside the document.
    let relative = try read(text.replacing("\(directory)/", with: ""))
    #expect(relative == scene)
  }

  @Test("what is in both scenes goes on as the same node; what a scene leaves out is as in a new effect")
  func applied() throws {
    let one = try InsertTests.synthesizer()
    let compressor = try one.insert("compressor", into: .channel(0))
    let echo = try one.insert("echo", into: .channel(0))
    let (ratio, equalizer) = (
      try compressor.effect.parameter(named: "ratio", of: .global), try one.insert("equalizer", into: .main)
    )
    ratio.value = 20
    try one.engine.set("curve", of: equalizer.effect, to: .list(Array(repeating: 3, count: 10)))
    try one.apply(
      read(
        """
        {"strips": {"channel 1": {"inserts": [
         {"effect": "echo", "parameters": {"time": 0.25}}, "compressor", "limiter"]}},
         "buses": {"main": {"inserts": ["equalizer"]}}}
        """))
    let inserts = one.inserts(of: .channel(0))
    #expect(inserts.count == 3 && inserts[0] === echo && inserts[1] === compressor)
    #expect(ratio.isDefault && one.inserts(of: .main)[0] === equalizer)
    #expect(try echo.effect.parameter(named: "time", of: .global).value == 0.25)
    #expect(try equalizer.effect.property(named: "curve").value == .list(Array(repeating: .number(0), count: 10)))
    let before = one.scene
    var broken = before
    broken.inserts[.main] = [.init("convolver", file: "/gone.wav")]
    #expect(throws: (any Error).self) { try one.apply(broken) }
    #expect(one.scene == before)
  }

  @Test(
    "a wrong document is told with the place and what to do",
    arguments: [
      (#"{"strip": {}}"#, "1:2: strip: unknown key; known are version, strips, buses"),
      (
        #"{"strips": {"channel 99": {"inserts": []}}}"#,
        "1:13: strips.channel 99: no such part of the mix, or given twice; known are channel 1 to channel 16"
      ),
      (#"{"strips": {"main": {"inserts": []}}}"#, "1:13: strips.main: no such part of the mix"),
      (#"{"buses": {"main": {"inserts": ["flanger"]}}}"#, "1:33: buses.main.inserts[0]: expected an effect: equalizer"),
      (
        #"{"buses": {"main": {"inserts": [{"effect": "echo", "mix": 101}]}}}"#,
        "1:59: buses.main.inserts[0].mix: 101 is outside 0…100; choose a number within it"
      ),
      (
        #"{"buses": {"main": {"inserts": [{"effect": "echo", "parameters": {"tme": 1}}]}}}"#,
        "1:67: buses.main.inserts[0].parameters.tme: no such parameter of the echo; did you mean time?"
      ),
      (
        #"{"buses": {"main": {"inserts": [{"effect": "echo", "parameters": {"time": 1e999}}]}}}"#,
        "1:75: "
      ),
      (
        #"{"buses": {"main": {"inserts": [{"effect": "echo", "file": "a.wav"}]}}}"#,
        "1:60: buses.main.inserts[0].file: echo takes no file; leave it out"
      ),
      (
        #"{"buses": {"main": {"inserts": [{"effect": "echo", "sideChain": "channel 3"}]}}}"#,
        "1:65: buses.main.inserts[0].sideChain: echo takes no side chain; leave it out"
      ),
      (
        #"{"buses": {"main": {"inserts": [{"effect": "gate", "sideChain": "click"}]}}}"#,
        "1:65: buses.main.inserts[0].sideChain: expected a channel"
      ),
      (
        #"{"buses": {"main": {"inserts": [{"effect": "gate", "sideChain": "drums"}]}}}"#,
        "1:11: buses: something names drums, which is no bus of the document; add it to \"buses\""
      ),
      (
        #"{"buses": {"main": {"inserts": ["echo","echo","echo","echo","echo","echo","echo","echo","echo"]}}}"#,
        "1:32: buses.main.inserts: expected a list of at most 8 effects"
      ),
    ])
  func faults(text: String, expected: String) {
    let error = error(text)
    #expect(error.hasPrefix("reading scene \(directory)/a.json:\(expected)"), "\(error)")
  }

  @Test("the example of docs/scenes.md is a scene, and the page has all effects with what they begin with")
  func documented() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/scenes.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let parts = text.components(separatedBy: "```")
    let example = try #require(parts.first { $0.hasPrefix("json\n") })
    let scene = try read(String(example.dropFirst(5)))
    #expect(scene.inserts.count > 2)
    for kind in InsertKind.all {
      let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(kind.name)` |") }
      #expect(row?.contains(" \(Int(kind.mix)) % |") == true, "\(kind.name)")
    }
  }
}
