import SynthAudioFiles
import TestSupport
import Testing

@Suite("AIFF and CAF files")
struct AppleFileTests {
  private let scratch = Scratch()

  private func write(
    _ name: String, _ channels: [[Float]], _ samples: AudioFileSamples, tags: [AudioFileTag: String] = [:]
  ) throws -> String {
    let writer = try AudioFileWriter(
      path: scratch.file(name), samples: samples, sampleRate: 44100, channelCount: channels.count, tags: tags)
    try writer.write(channels)
    try writer.finish()
    return scratch.file(name)
  }

  @Test("keep every sample, and are the same every time", arguments: ["aiff", "aif", "caf"], AudioFileSamples.allCases)
  func exact(name: String, samples: AudioFileSamples) throws {
    var random = SplitMix64(seed: 3)
    let channels = (0..<3).map { _ in
      (0..<5000).map { _ in Float(Int.random(in: -32768..<32768, using: &random)) / 32768 }
    }
    let path = try write("a.\(name)", channels, samples)
    let reader = try AudioFileReader(path: path)
    #expect((reader.sampleRate, reader.channelCount, reader.frameCount) == (44100, 3, 5000))
    let isSame = try reader.readAll().channels.map(Array.init) == channels
    #expect(isSame)
    let isAlike = contents(path) == contents(try write("b.\(name)", channels, samples))
    #expect(isAlike)
  }

  @Test("without a frame can be read", arguments: ["aiff", "caf"])
  func empty(name: String) throws {
    #expect(try AudioFileReader(path: try write("a.\(name)", [[]], .int16)).readAll().channels.map(Array.init) == [[]])
  }

  @Test("AIFF refuses the tags that it has no places for", arguments: [AudioFileTag.album, .date, .genre, .track])
  func refusedTags(tag: AudioFileTag) {
    let error = #expect(throws: AudioFileError.self) { try write("a.aiff", [[0]], .int16, tags: [tag: "x"]) }
    #expect(error?.description == "creating \(scratch.file("a.aiff")): AIFF has no tag \(tag) — leave it out")
  }

  @Test("AIFF keeps the texts that it has places for")
  func tags() throws {
    let tags: [AudioFileTag: String] = [.title: "Rain", .artist: "me", .copyright: "mine", .comment: "none"]
    let path = try write("a.aiff", [[0, 0.5]], .int24, tags: tags)
    #expect(try AudioFileReader(path: path).tags == tags)
  }
}
