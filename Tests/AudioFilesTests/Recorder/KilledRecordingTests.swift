import SynthAudioFiles
import Testing

@Suite("A recording that is killed", .timeLimit(.minutes(2)))
struct KilledRecordingTests {
  private let scratch = Scratch()
  private static let frameCount = 5 * 48000

  private func writer(_ name: String, _ naming: AudioFileNaming) throws -> AudioFileWriter {
    let writer = try AudioFileWriter(path: scratch.file(name), sampleRate: 48000, channelCount: 2, naming: naming)
    let samples = (0..<Self.frameCount).map { Float($0 % 1000) / 2000 }
    try writer.write([samples, samples])
    return writer
  }

  @Test("can be played up to its last second", arguments: ["wav", "flac", "ogg", "opus", "mp3", "aiff", "caf"])
  func playable(name: String) throws {
    let writer = try writer("a.\(name)", .atOnce)
    // The file is as a kill would leave it.
    let sound = try FileSound(path: scratch.file("a.\(name)"))
    let least = Self.frameCount - 48000 - 8192
    #expect(sound.frameCount > least)
    #expect(sound.missingByteCount == 0)
    sound.prepare(at: 3)
    #expect(sound.takeFailure() == nil)
    let read = try AudioFileReader(path: scratch.file("a.\(name)")).readAll()[0]
    #expect(read.count > least && read.suffix(48000).contains { $0 > 0.1 })
    try writer.finish()
  }

  @Test("says how long it is, for readers that want to know", arguments: ["wav", "flac", "aiff", "caf"])
  func length(name: String) throws {
    let writer = try writer("a.\(name)", .atOnce)
    let reader = try AudioFileReader(path: scratch.file("a.\(name)"))
    let count = try #require(reader.frameCount)
    #expect(count > Self.frameCount - 48000 - 8192)
    #expect(try reader.readAll().frameCount == count)
    try writer.finish()
    #expect(try AudioFileReader(path: scratch.file("a.\(name)")).frameCount == Self.frameCount)
  }

  @Test("is otherwise the file it would have been", arguments: ["wav", "flac", "aiff", "caf"])
  func same(name: String) throws {
    try writer("kept.\(name)", .atOnce).finish()
    try writer("whole.\(name)", .whenWhole).finish()
    let isSame = contents(scratch.file("kept.\(name)")) == contents(scratch.file("whole.\(name)"))
    #expect(isSame)
  }

  @Test("and is empty, is refused in plain words", arguments: ["wav", "flac", "aiff"])
  func empty(name: String) throws {
    let path = scratch.file("a.\(name)")
    try AudioFileWriter(path: path, sampleRate: 48000, channelCount: 1).finish()
    let error = #expect(throws: AudioFileError.self) { try FileSound(path: path) }
    #expect(error?.description == "reading \(path): there is no audio in it — give another file")
  }
}
