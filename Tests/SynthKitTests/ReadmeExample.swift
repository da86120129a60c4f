import AudioFiles
import Foundation
import MIDI
import SynthKit
import TestSupport
import Testing

@Suite("The README's examples")
struct ReadmeExample {
  @Test("renders a song to FLAC")
  func runs() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let input = directory.appending(path: "song.mid").path
    let output = directory.appending(path: "song.flac").path
    try Data(smf(format: 0, tracks: [strike(60, ticks: 96) + end()])).write(to: URL(filePath: input))

    let song = Song(try MIDIFile(path: input))
    let font = try SoundFontLocator.standard().locate().path
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [font], sampleRate: 48000))
    synthesizer.equalizer.curve = try EqualizerPresetLibrary.standard().preset("pop").curve
    synthesizer.mixer.inputs[9].gain.value = -6  // the drums, in decibels
    let file = try AudioFileWriter(path: output, samples: .int24, rate: 48000, channels: 2)
    try synthesizer.render(song, to: file)
    try file.finish()

    let samples = try AudioFileReader(path: output).readAll()
    #expect(samples[0].contains { abs($0) > 0.001 })
  }

  @Test("renders many songs", .timeLimit(.minutes(10)))
  func batch() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let font = try TestFiles.soundFont
    let paths = (0..<3).map { directory.appending(path: "\($0).mid").path }
    for path in paths {
      try Data(smf(format: 0, tracks: [strike(60, ticks: 96) + end()])).write(to: URL(filePath: path))
    }
    var count = 0
    func print(_ path: String, _ result: Result<RenderedSong, any Error>) { if case .success = result { count += 1 } }

    let batch = BatchRenderer(SynthesizerConfiguration(soundFonts: [font], preload: .used([])), workerCount: 4)
    let items = paths.map { path in
      BatchRenderer.Item(path: path + ".flac") { Song(try MIDIFile(path: path)) }
    }
    for try await outcome in batch.outcomes(of: items) { print(paths[outcome.index], outcome.result) }

    #expect(count == 3)
  }

  @Test("are the ones above, line for line")
  func areTheSame() throws {
    let here = URL(filePath: #filePath)
    let readme = try String(
      contentsOf: here.deletingLastPathComponent().appending(path: "../../README.md"), encoding: .utf8)
    let source = try String(contentsOf: here, encoding: .utf8)
      .replacingOccurrences(of: "path: input", with: "path: \"song.mid\"")
      .replacingOccurrences(of: "path: output", with: "path: \"song.flac\"")
    for (number, lineCount) in [11, 5].enumerated() {
      let block = try #require(readme.components(separatedBy: "```swift\n").dropFirst(number + 1).first)
      let lines = try #require(block.components(separatedBy: "```").first).split(separator: "\n")
      #expect(lines.count == lineCount)
      for line in lines { #expect(source.contains(line), "\(line)") }
    }
  }
}
