import Foundation
import TestSupport
import Testing

@testable import SynthKit

/// Rounds go on for `SYNTH_FUZZ_SECONDS` each where that is set, with other seeds than those that are tested always.
@Suite("Damaged documents", .timeLimit(.minutes(15)))
struct DocumentFuzzTests {
  @Test("are read or refused in a line, presets of the equalizer among them")
  func preset() throws {
    try rounds(of: Self.preset) {
      let preset = try EqualizerPresetReader.preset(named: "x", bytes: $0, path: "x.json")
      #expect(preset.curve.gains.allSatisfy { abs($0.value) <= 24 })
    }
  }

  @Test("are read or refused in a line, instruments among them")
  func patch() throws {
    try rounds(of: Self.patch) { _ = try PatchReader.patch(named: "x", bytes: $0, path: "x.json") }
  }

  @Test("are read or refused in a line, snapshots among them: what is read is written and read as the same")
  func snapshot() throws {
    try rounds(of: Self.snapshot) { bytes in
      let (snapshot, program) = try SynthesizerSnapshot.read(bytes, path: "x.json")
      let again = try SynthesizerSnapshot.read(Array(snapshot.text(program: program).utf8), path: "x.json")
      #expect(again.snapshot == snapshot && again.program == program, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test("are read or refused in a line, scenes among them: what is read is written and read as the same")
  func scene() throws {
    try rounds(of: Self.scene) { bytes in
      let scene = try Scene(bytes, path: "x.json")
      #expect(try Scene(Array(scene.text.utf8), path: "x.json") == scene)
    }
  }

  private func rounds(of document: String, _ read: ([UInt8]) throws -> Void) throws {
    try read(Array(document.utf8))
    let seconds = ProcessInfo.processInfo.environment["SYNTH_FUZZ_SECONDS"].flatMap(Double.init)
    let end = seconds.map { Date(timeIntervalSinceNow: $0) }
    var random = SplitMix64(seed: seconds == nil ? 1 : .random(in: 0 ... .max))
    var (round, readCount) = (0, 0)
    while end.map({ Date() < $0 }) ?? (round < 4000) {
      round += 1
      let bytes = DamagedDocument.bytes(document, &random)
      do {
        try read(bytes)
        readCount += 1
      } catch let error as ResourceError {
        #expect(!error.description.contains("\n") && error.description.utf8.count < 1000)
      }
    }
    #expect((round / 100..<round).contains(readCount), "all or nothing is read: \(readCount) of \(round)")
  }

  private static let preset = """
    {"version": 1, "title": "A", "description": "B", "bands": [
    \([32, 64, 125, 250, 500, 1000, 2000, 4000, 8000, 16000].map { #"{"frequency": \#($0), "gain": -1.5}"# }
      .joined(separator: ",\n"))]}
    """

  private static let patch = #"""
    {"version": 1, "title": "A", "description": "B", "level": -8, "mode": "mono", "glide": 0.1,
     "oscillators": [{"wave": "pulse", "level": -3, "tune": -12, "width": 0.5}],
     "amplitude": {"attack": 0.01, "decay": 1, "sustain": 0.5, "release": 0.2},
     "filter": {"cutoff": 220, "resonance": 3,
       "envelope": {"attack": 0.002, "decay": 0.9, "sustain": 0.1, "release": 0.2},
       "amount": 3}}
    """#

  private static let scene = #"""
    {"version": 1, "strips": {
     "channel 10": {"inserts": ["compressor", {"effect": "echo", "mix": 12.5, "parameters": {"time": 0.25}}]},
     "channel B2": {"inserts": [{"effect": "convolver", "file": "hall.wav", "bypass": true}]},
     "microphone": {"inserts": [{"effect": "distortion", "parameters": {"type": "fold", "pre-gain": -3}}]}},
     "buses": {"main": {"inserts": [
      {"effect": "equalizer", "parameters": {"curve": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}}]}}}
    """#

  private static let snapshot = #"""
    {"version": 1, "program": 3, "soundfonts": ["a.sf2"], "instruments": ["3=pad"],
     "programs": [{"channel": 1, "bank": 0, "program": 5}], "preset": "pop", "bands": [1, 2], "reverb": "hall",
     "scene": {"buses": {"main": {"inserts": ["limiter"]}}},
     "parameters": {"mixer": {"input 3 gain": -6.25}}, "tempo": 1.5, "transpose": -2, "countIn": 2,
     "routes": ["1=2"], "mutedTracks": [2], "learned": [{"controller": 7, "channel": 1, "command": "play"}]}
    """#
}
