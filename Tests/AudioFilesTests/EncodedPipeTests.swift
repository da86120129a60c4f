import AudioGraph
import Foundation
import SynthAudioFiles
import SynthRealtime
import TestSupport
import Testing

/// Encoded files that go through a pipe, from which nobody can go back to write their length at the start.
@Suite("Encoded files in pipes", .timeLimit(.minutes(2)))
struct EncodedPipeTests {
  private let scratch = Scratch()

  /// A second and a bit, of a tone that is not the same on both sides.
  private let channels: [[Float]] = (1...2).map { number in
    (0..<50_001).map { Float(0.4 * sin(Double(number * $0) / 17)) }
  }

  /// What a writer puts into a named pipe while a thread reads it.
  private func piped(_ container: AudioFileContainer, _ channels: [[Float]]) throws -> Data {
    let path = scratch.file("pipe")
    mkfifo(path, 0o600)
    let read = CheckedMutex(Data())
    let isRead = DispatchSemaphore(value: 0)
    DispatchQueue(label: "reader").async {
      let data = try? FileHandle(forReadingAtPath: path)?.readToEnd()
      read.withLock { $0 = data ?? Data() }
      isRead.signal()
    }
    try write(channels, to: AudioFileWriter(path: path, container: container, sampleRate: 48000, channelCount: 2))
    #expect(isRead.wait(timeout: .now() + 60) == .success)
    return read.withLock { $0 }
  }

  /// The writer, which is released then, has closed what it writes to.
  private func write(_ channels: [[Float]], to writer: consuming AudioFileWriter) throws {
    if !channels[0].isEmpty { try writer.write(channels) }
    try writer.finish()
  }

  private func read(_ data: Data, _ name: String) throws -> AudioFileReader {
    try data.write(to: URL(filePath: scratch.file(name)))
    return try AudioFileReader(path: scratch.file(name))
  }

  @Test("A FLAC has no length in its header, and all its samples")
  func flac() throws {
    let data = try piped(.flac, channels)
    // STREAMINFO: 36 bits of the number of samples, and 128 of their digest.
    #expect(data[21] & 0xF == 0 && data[22..<42].allSatisfy { $0 == 0 })
    let reader = try read(data, "a.flac")
    #expect(reader.frameCount == nil)
    let whole = scratch.file("whole.flac")
    let writer = try AudioFileWriter(path: whole, sampleRate: 48000, channelCount: 2)
    try writer.write(channels)
    try writer.finish()
    let expected = try AudioFileReader(path: whole).readAll().channels.map(Array.init)
    #expect(try reader.readAll().channels.map(Array.init) == expected && expected[0].count == 50_001)
  }

  @Test("An Ogg file is byte for byte what a file would be", arguments: [AudioFileContainer.vorbis, .opus])
  func ogg(_ container: AudioFileContainer) throws {
    let data = try piped(container, channels)
    let whole = scratch.file("whole.\(container.fileExtension)")
    let writer = try AudioFileWriter(path: whole, sampleRate: 48000, channelCount: 2)
    try writer.write(channels)
    try writer.finish()
    #expect(data == Data(contents(whole)) && data.count > 5000)
    let samples = try AudioFileReader(path: whole).readAll().channels.map(Array.init)
    #expect(samples.map(\.count) == [50_001, 50_001] && samples[0].contains { abs($0) > 0.3 })
  }

  @Test("One without frames can be read", arguments: [AudioFileContainer.flac, .vorbis, .opus])
  func empty(_ container: AudioFileContainer) throws {
    let reader = try read(try piped(container, [[], []]), "empty.\(container.fileExtension)")
    #expect(try reader.readAll().frameCount <= 1)
  }

  @Test("What needs its length at the start is refused", arguments: [AudioFileContainer.aiff, .caf, .mp3])
  func refused(_ container: AudioFileContainer) throws {
    let error = #expect(throws: AudioFileError.self) {
      try AudioFileWriter(path: "/dev/null", container: container, sampleRate: 48000, channelCount: 1)
    }
    #expect(error?.description.hasSuffix(" cannot go into a pipe or device — use WAV, FLAC or Ogg") == true)
  }
}
