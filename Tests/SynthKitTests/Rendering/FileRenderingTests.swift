import Foundation
import SynthAudioFiles
import SynthInstruments
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("Songs rendered into files")
struct FileRenderingTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "rendering-\(UUID())")
  /// Loud and at once, with all the reverb and chorus there is, and cut off by the end of its file.
  private let loud: Song
  private let quiet: Song

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    loud = try song([0, 0xB0, 91, 127, 0, 0xB0, 93, 127], strike(76, ticks: 9600))
    quiet = try song([0, 0xC0, 48], strike(60, ticks: 200))
  }

  private func synthesizer(withSampler: Bool = false) throws -> Synthesizer {
    if withSampler { return try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont])) }
    let patch = Patch(
      name: "saw", title: "Saw", description: "One oscillator", oscillators: [.init(.saw)],
      amplitude: .init(release: 0.5))
    return try Synthesizer(
      SynthesizerConfiguration(soundFonts: [], instruments: [InstrumentAssignment(.patch(patch))]))
  }

  /// The left samples.
  private func render(_ song: Song, with synthesizer: Synthesizer, atMost seconds: Double = 0.5) throws -> [Float] {
    let path = directory.appending(path: "\(UUID()).wav").path
    let file = try AudioFileWriter(path: path, samples: .float32, sampleRate: 48000, channelCount: 2)
    try synthesizer.render(song, to: file) { $0.duration < seconds }
    try file.finish()
    return Array(try AudioFileReader(path: path).readAll()[0])
  }

  // Equality is not asked for in expectations themselves, which would look for the way from one to the other.

  @Test(
    "one after the other by one synthesizer, each is what a new one makes of it, also after an interruption",
    arguments: [false, true])
  func independence(withSampler: Bool) throws {
    let one = try synthesizer(withSampler: withSampler)
    let interrupted = try render(loud, with: one, atMost: 0.1)
    let (second, third) = (try render(quiet, with: one), try render(quiet, with: one))
    #expect((4800..<9600).contains(interrupted.count) && interrupted.contains { $0 != 0 })
    let new = try render(quiet, with: try synthesizer(withSampler: withSampler))
    let areSame = second == new && third == new
    #expect(areSame)
  }

  @Test("a change scheduled before is made at its time in the file")
  func schedule() throws {
    let one = try synthesizer()
    one.effects.reverb.level.value = -120
    let plain = try render(quiet, with: one)
    try one.engine.schedule(one.mixer.inputs[0].isMuted, to: 1, at: 6400)
    let muted = try render(quiet, with: one)
    let start = 6400 - one.latency
    let isSame = muted.prefix(start) == plain.prefix(start)
    #expect(isSame)
    // A ramp of 20 ms.
    let after = (start + 1024)..<(start + 2048)
    #expect(muted[after].allSatisfy { abs($0) < 1e-4 } && plain[after].contains { abs($0) > 0.01 })
  }
}
