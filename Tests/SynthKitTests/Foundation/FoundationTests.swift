import Foundation
import SynthFoundation
import SynthKit
import TestSupport
import Testing

@Suite("With Foundation")
struct FoundationTests {
  @Test("an error's localized description is its own text")
  func errors() throws {
    let errors: [any Error] = [
      GraphError.notAttached(node: "echo"), MusicSequenceError.noSuchTrack(3, count: 1),
      AudioFileError.unsupported(path: "a.xyz", reason: "no"),
      ChannelMapError.wrongLength(ChannelMap([0]), sourceCount: 1, destinationCount: 2),
    ]
    for error in errors { #expect(error.localizedDescription == "\(error)") }
  }

  @Test("what takes a path takes a file's URL, and refuses another by its name")
  func urls() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "synth \(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let song = directory.appending(path: "süß & song.mid")
    var sequence = MusicSequence()
    try sequence.addNote(60, at: 0, for: 1)
    try sequence.write(to: song)
    #expect(MusicSequence(try MIDIFile(url: song)) == sequence)
    let remote = try #require(URL(string: "https://example.org/song.mid"))
    let error = #expect(throws: MIDIFileError.self) { try MIDIFile(url: remote) }
    #expect(error?.localizedDescription.contains("https://example.org/song.mid") == true)
    #expect(throws: AudioFileError.self) { try AudioFileReader(url: song) }
    #expect(throws: SoundFontError.self) { try SoundFont(url: song) }
  }
}
