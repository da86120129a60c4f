import Foundation
import SynthAudioFiles
import SynthInstruments
import SynthKit
import SynthMIDI
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
    let file = try AudioFileWriter(path: output, samples: .int24, sampleRate: 48000, channelCount: 2)
    try synthesizer.render(song, to: file)
    try file.finish()

    let samples = try AudioFileReader(path: output).readAll().channels.map(Array.init)
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

  @Test("edits a song and writes it")
  func edit() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let input = directory.appending(path: "song.mid").path
    let edited = directory.appending(path: "edited.mid").path
    try Data(smf(format: 0, tracks: [strike(60, ticks: 96) + end()])).write(to: URL(filePath: input))

    var sequence = MusicSequence(try MIDIFile(path: input))  // or MusicSequence(), MusicSequence(recorder.entries)
    try sequence.setTempo(96, at: 4)
    try sequence.addText("Refrain", .marker, at: 16)
    try sequence.addNote(60, velocity: 100, at: 16, for: 1.5)
    try sequence.write(to: edited)

    // Four beats at 120, 13.5 at 96 in a minute.
    #expect(abs(Song(try MIDIFile(path: edited)).duration - (2 + 13.5 * 60 / 96)) < 1e-5)
  }

  @Test("plays a sequencer", .timeLimit(.minutes(5)))
  func sequencer() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let input = directory.appending(path: "song.mid").path
    var sequence = MusicSequence(trackCount: 2)
    try sequence.addNote(60, at: 0, for: 20)
    try sequence.write(to: input)
    let synthesizer = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    let output = HandOutput(sampleRate: 48000, period: 256)
    let session = Session(synthesizer, output: output)

    let sequencer = try Sequencer(MusicSequence(try MIDIFile(path: input)), playing: synthesizer.instruments)
    sequencer.setUserCallback { print($0.beat, $0.text ?? "") }  // markers and lyrics
    sequencer.loop = SequencerLoop(8, 16, passCount: 2)
    try session.start()
    try sequencer.start()
    sequencer.tracks[0].isMuted = true
    sequencer.tracks[1].loop = SequencerLoop(0, 4)  // a track's own, while the others go on
    try sequencer.edit { try $0.addNote(72, at: sequencer.position + 4, for: 1) }
    sequencer.rate = 1.25
    sequencer.position = 12

    for _ in 0..<200 { output.turn() }
    #expect(sequencer.position > 12)
  }

  @Test("are the ones above, line for line")
  func areTheSame() throws {
    let here = URL(filePath: #filePath)
    let readme = try String(
      contentsOf: here.deletingLastPathComponent().appending(path: "../../README.md"), encoding: .utf8)
    let source = try String(contentsOf: here, encoding: .utf8)
      .replacingOccurrences(of: "path: input", with: "path: \"song.mid\"")
      .replacingOccurrences(of: "path: output", with: "path: \"song.flac\"")
      .replacingOccurrences(
        of: "(0..<3).map { directory.appending(path: \"\\($0).mid\").path }", with: "[\"a.mid\", \"b.mid\"]"
      )
      .replacingOccurrences(of: "synthesizer, output: output", with: "synthesizer, output: try DeviceOutput()")
      .replacingOccurrences(of: "to: edited", with: "to: \"edited.mid\"")
    for (number, lineCount) in [(1, 9), (2, 6), (4, 5), (8, 11)] {
      let block = try #require(readme.components(separatedBy: "```swift\n").dropFirst(number).first)
      let lines = try #require(block.components(separatedBy: "```").first).split(separator: "\n")
      #expect(lines.count == lineCount)
      for line in lines { #expect(source.contains(line), "\(line)") }
    }
  }
}
