import Foundation
import SynthAudioFiles
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("The limiter's latency")
struct LatencyTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "latency-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

  private func synthesizer(isLimited: Bool) throws -> Synthesizer {
    try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], isLimited: isLimited))
  }

  private func render(_ song: Song, isLimited: Bool) throws -> Data {
    let path = directory.appending(path: "\(isLimited).raw").path
    let file = try AudioFileWriter(path: path, container: .raw, samples: .float32, sampleRate: 48000, channelCount: 2)
    try synthesizer(isLimited: isLimited).render(song, to: file)
    try file.finish()
    return try Data(contentsOf: URL(filePath: path))
  }

  @Test("is left out of a file: begin, end and every sample of a quiet song are what they are without a limiter")
  func file() throws {
    let song = try song(strike(60, ticks: 480))
    let (limited, plain) = (try render(song, isLimited: true), try render(song, isLimited: false))
    #expect(limited == plain)
    #expect(limited.count > 8 * 24000)
  }

  @Test("is 64 frames while one plays, and none without a limiter")
  func live() throws {
    let song = try song(strike(60, ticks: 480))
    let (limited, plain) = (try synthesizer(isLimited: true), try synthesizer(isLimited: false))
    limited.play(song)
    plain.play(song)
    #expect(limited.latency == 64 && plain.latency == 0)
    #expect(limited.samples(4096)[0][64...] == plain.samples(4096)[0][..<4032])
  }
}
