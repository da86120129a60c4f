import Foundation
import SynthInstruments
import SynthKit
import SynthMIDI
import TestSupport
import Testing

/// What songs sound like, as text one can read and compare: RMS and peak of every 100 ms, left and right, in decibels.
/// `RECORD_SNAPSHOTS=1 swift test --filter Fingerprint` writes them again after a change that is meant to be heard.
@Suite("Fingerprints of rendered songs")
struct FingerprintTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  private static let builtInFont = tests.appending(path: "../../soundfonts/synth-gm.sf2").standardized.path

  @Test(
    "are those on record within 0.2 dB", arguments: SamplerEngine.allCases,
    [("busy_schedule", "flat"), ("tttheme2", "rock"), ("wood_whistles", "spoken-word")])
  func fingerprint(engine: SamplerEngine, of sound: (song: String, preset: String)) throws {
    let (name, preset) = sound
    let song = Song(try MIDIFile(path: try TestFiles.song("\(name).mid")))
    var configuration = SynthesizerConfiguration(
      soundFonts: [Self.builtInFont], curve: try EqualizerPresetLibrary.standard().preset(preset).curve)
    configuration.instruments.sampler.engine = engine
    let synthesizer = try Synthesizer(configuration)
    synthesizer.play(song)
    _ = synthesizer.samples(synthesizer.latency)
    let levels = Self.levels(synthesizer.samples(15 * 48000))

    let file = Self.tests.appending(path: "Fingerprints/\(engine.rawValue)/\(name)-\(preset).txt")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Self.text(levels).write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try Self.parse(String(contentsOf: file, encoding: .utf8))
    #expect(recorded.count == levels.count)
    for (time, (expected, level)) in zip(recorded, levels).enumerated() {
      let distance = zip(expected, level).map { abs($0 - $1) }.max() ?? 0
      #expect(distance <= 0.2, "after \(time * 100) ms: \(level), on record \(expected)")
    }
  }

  /// For every 100 ms: RMS left and right, peak left and right; -99 is the floor.
  private static func levels(_ channels: [[Float]]) -> [[Double]] {
    stride(from: 0, to: channels[0].count, by: 4800).map { start in
      let blocks = channels.map { $0[start..<start + 4800] }
      let rms = blocks.map { block in (block.reduce(0) { $0 + Double($1) * Double($1) } / 4800).squareRoot() }
      let peaks = blocks.map { block in Double(block.map(abs).max() ?? 0) }
      return (rms + peaks).map { max(-99, (200 * log10($0)).rounded() / 10) }
    }
  }

  private static func text(_ levels: [[Double]]) -> String {
    levels.map { $0.map { "\($0)" }.joined(separator: " ") + "\n" }.joined()
  }

  private static func parse(_ text: String) -> [[Double]] {
    text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
  }
}
