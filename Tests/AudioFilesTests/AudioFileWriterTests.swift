import AudioFiles
import Glibc
import Testing

/// A directory of its own, removed with all that is in it.
final class Scratch {
  let path: String

  init() {
    var template = Array("/tmp/audiofiles-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// What is in it, temporary names included.
  var names: [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }
}

extension AudioFileWriter {
  /// Appends planar channels.
  func write(_ channels: [[Float]]) throws(AudioFileError) {
    let frameCount = channels.first?.count ?? 0
    let copies = channels.map { channel in
      let copy = UnsafeMutablePointer<Float>.allocate(capacity: max(1, channel.count))
      copy.initialize(from: channel, count: channel.count)
      return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    try copies.withUnsafeBufferPointer { copies throws(AudioFileError) in
      if let base = copies.baseAddress { try write(base, frameCount: frameCount) }
    }
  }
}

/// The whole file, or nothing if there is none.
func contents(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
  return bytes
}

@Test(
  "What was written is read back, in every format a file can have, over several blocks",
  arguments: [
    ("a.wav", AudioFileSamples.int16), ("a.wav", .int24), ("a.wav", .float32), ("a.flac", .int16), ("a.FLAC", .int24),
  ])
func roundTrip(name: String, samples: AudioFileSamples) throws {
  let scratch = Scratch()
  let left = (0..<3000).map { Float($0 - 1500) / 2048 }
  let channels = [left, left.map { -$0 }, Array(left.reversed())]
  let writer = try AudioFileWriter(path: scratch.file(name), samples: samples, rate: 44100, channels: 3)
  try writer.write(channels)
  try writer.finish()
  let reader = try AudioFileReader(path: scratch.file(name))
  #expect(writer.frameCount == 3000)
  #expect((reader.frameCount, reader.rate, reader.channels) == (3000, 44100, 3))
  #expect(try reader.readAll() == channels)
  #expect(scratch.names == [name])
}

@Test("Interleaved and planar samples make the same file")
func interleavedInput() throws {
  let scratch = Scratch()
  let planar = try AudioFileWriter(path: scratch.file("p.wav"), rate: 48000, channels: 2)
  try planar.write([[0.25, 0.5, 0.75], [-0.25, -0.5, -0.75]])
  try planar.finish()
  let interleaved = try AudioFileWriter(path: scratch.file("i.wav"), rate: 48000, channels: 2)
  try interleaved.write(interleaved: [0.25, -0.25, 0.5, -0.5, 0.75, -0.75], frameCount: 3)
  try interleaved.finish()
  #expect(contents(scratch.file("p.wav")).count > 44)
  #expect(contents(scratch.file("p.wav")) == contents(scratch.file("i.wav")))
}
