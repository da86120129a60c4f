import AudioGraph
import Dispatch
import Glibc
import SynthAudioFiles
import Testing

@Test(
  "What was written is read back, in every format a file can have, over several blocks",
  arguments: [
    ("a.wav", AudioFileSamples.int16), ("a.wav", .int24), ("a.wav", .float32), ("a.flac", .int16), ("a.FLAC", .int24),
  ])
func roundTrip(name: String, samples: AudioFileSamples) throws {
  let scratch = Scratch()
  let left = (0..<3000).map { Float($0 - 1500) / 2048 }
  let channels = [left, left.map { -$0 }, Array(left.reversed())]
  let writer = try AudioFileWriter(path: scratch.file(name), samples: samples, sampleRate: 44100, channelCount: 3)
  try writer.write(channels)
  try writer.finish()
  let reader = try AudioFileReader(path: scratch.file(name))
  #expect(writer.frameCount == 3000)
  #expect((reader.frameCount, reader.sampleRate, reader.channelCount) == (3000, 44100, 3))
  #expect(try reader.readAll().channels.map(Array.init) == channels)
  #expect(scratch.names == [name])
}

@Test("Buffers are read to any length, in order, and end with the file")
func buffers() throws {
  let scratch = Scratch()
  let ramp = AudioBuffer(format: .stereo(44100), frameCount: 200_000) { Float(($0 + 1) * $1) / 0x1p20 }
  let writer = try AudioFileWriter(
    path: scratch.file("a.wav"), samples: .float32, sampleRate: 44100, channelCount: 2)
  try writer.write(ramp[..<1000])
  try writer.write(ramp[1000...])
  try writer.finish()
  let reader = try AudioFileReader(path: scratch.file("a.wav"))
  #expect(try reader.read(150_000) == ramp[..<150_000] && reader.bufferFormat == .stereo(44100))
  #expect(try reader.read(-1).isEmpty)
  #expect(try reader.read(.max) == ramp[150_000...])
  #expect(try reader.read(10) == AudioBuffer(format: .stereo(44100), frameCount: 0))
  try reader.seek(to: 0)
  #expect(try reader.readAll() == ramp)
}

@Test("A buffer of another format is refused, and the file goes on without it")
func otherFormat() throws {
  let scratch = Scratch()
  let writer = try AudioFileWriter(path: scratch.file("a.wav"), sampleRate: 44100, channelCount: 2)
  let error = #expect(throws: AudioFileError.self) {
    try writer.write(AudioBuffer(format: .stereo(48000), frameCount: 10))
  }
  #expect(
    error?.description == "writing \(scratch.file("a.wav")): it has 44100 Hz stereo and the buffer 48000 Hz stereo — "
      + "convert that with converted(to:) first")
  #expect(throws: AudioFileError.self) { try writer.write(AudioBuffer(format: .mono(44100), frameCount: 10)) }
  try writer.write(AudioBuffer(format: .stereo(44100), frameCount: 10))
  try writer.finish()
  #expect(try AudioFileReader(path: scratch.file("a.wav")).frameCount == 10)
}

@Test("Interleaved and planar samples make the same file")
func interleavedInput() throws {
  let scratch = Scratch()
  let planar = try AudioFileWriter(path: scratch.file("p.wav"), sampleRate: 48000, channelCount: 2)
  try planar.write([[0.25, 0.5, 0.75], [-0.25, -0.5, -0.75]])
  try planar.finish()
  let interleaved = try AudioFileWriter(path: scratch.file("i.wav"), sampleRate: 48000, channelCount: 2)
  try interleaved.write(interleaved: [0.25, -0.25, 0.5, -0.5, 0.75, -0.75], frameCount: 3)
  try interleaved.finish()
  #expect(contents(scratch.file("p.wav")).count > 44)
  #expect(contents(scratch.file("p.wav")) == contents(scratch.file("i.wav")))
}

@Test("Dither is the same for planar and interleaved samples and blocks of any size, and leaves the samples alone")
func dither() throws {
  let scratch = Scratch()
  let left = (0..<5000).map { Float($0) / 60000 }
  let channels = [left, left.map { -$0 / 3 }]
  func file(_ name: String, isDithered: Bool = true) throws -> AudioFileWriter {
    try AudioFileWriter(path: scratch.file(name), sampleRate: 48000, channelCount: 2, isDithered: isDithered)
  }
  let (whole, plain) = (try file("whole.wav"), try file("plain.wav", isDithered: false))
  for writer in [whole, plain] { try writer.write(channels) }
  let blocks = try file("blocks.wav")
  for start in stride(from: 0, to: 5000, by: 1500) {
    try blocks.write(channels.map { Array($0[start..<min(5000, start + 1500)]) })
  }
  let interleaved = try file("interleaved.wav")
  let samples = zip(channels[0], channels[1]).flatMap { left, right in [left, right] }
  try samples.withUnsafeBufferPointer { try interleaved.write(interleaved: $0.baseAddress!, frameCount: 5000) }
  #expect(samples == zip(channels[0], channels[1]).flatMap { left, right in [left, right] })
  for writer in [whole, plain, blocks, interleaved] { try writer.finish() }
  let bytes = contents(scratch.file("whole.wav"))
  #expect(bytes == contents(scratch.file("blocks.wav")) && bytes == contents(scratch.file("interleaved.wav")))
  #expect(bytes != contents(scratch.file("plain.wav")))
  let rounded = try AudioFileReader(path: scratch.file("whole.wav")).readAll().channels.map(Array.init)
  let isNear = zip(rounded[0], left).allSatisfy { abs($0 - $1) <= 0x1.8p-15 }
  #expect(rounded[0][0] == 0 && isNear)
}

@Test("Until it is finished a file has no name, and an older one stays as it was; a writer let go leaves nothing")
func unfinishedLeavesNothing() throws {
  let scratch = Scratch()
  let path = scratch.file("song.wav")
  let first = try AudioFileWriter(path: path, sampleRate: 48000, channelCount: 1)
  try first.write([[0.5]])
  #expect(!scratch.names.contains("song.wav"))
  try first.finish()
  let before = contents(path)
  do {
    let second = try AudioFileWriter(path: path, sampleRate: 48000, channelCount: 1)
    try second.write([[0.25, 0.25]])
    #expect(contents(path) == before)
  }
  #expect(contents(path) == before)
  #expect(scratch.names == ["song.wav"])
}

@Test("What a killed program has left is removed, and no file that is being written")
func leftovers() throws {
  let scratch = Scratch()
  let writer = try AudioFileWriter(path: scratch.file("song.wav"), sampleRate: 48000, channelCount: 1)
  let living = scratch.names
  // The number of this process, which lives; and others' files with similar names.
  for name in [".synth-\(getpid())-999999.part", ".synth-x", "x.part"] {
    close(open(scratch.file(name), O_CREAT | O_WRONLY, 0o600))
  }
  AudioFileWriter.removeLeftovers(in: scratch.file(""))
  #expect(Set(scratch.names) == Set(living + [".synth-x", "x.part"]))
  try writer.finish()
  #expect(Set(scratch.names) == ["song.wav", ".synth-x", "x.part"])
}

@Test("A symbolic link stays one, and what it points to is replaced")
func followsLinks() throws {
  let scratch = Scratch()
  try AudioFileWriter(path: scratch.file("real.wav"), sampleRate: 48000, channelCount: 1).finish()
  symlink("real.wav", scratch.file("link.wav"))
  let writer = try AudioFileWriter(path: scratch.file("link.wav"), sampleRate: 48000, channelCount: 1)
  try writer.write([[0.5, 0.5, 0.5]])
  try writer.finish()
  #expect(linkedName(scratch.file("link.wav")) == "real.wav")
  #expect(try AudioFileReader(path: scratch.file("real.wav")).frameCount == 3)
  #expect(scratch.names == ["link.wav", "real.wav"])
}

private func linkedName(_ path: String) -> String {
  var bytes = [UInt8](repeating: 0, count: 100)
  let count = readlink(path, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

@Test("A file of no frames at all is a valid file", arguments: ["a.wav", "a.flac", "a.ogg"])
func emptyFile(name: String) throws {
  let scratch = Scratch()
  try AudioFileWriter(path: scratch.file(name), sampleRate: 48000, channelCount: 2).finish()
  #expect(try AudioFileReader(path: scratch.file(name)).readAll().channels.map(Array.init) == [[], []])
}

@Test("Raw files hold the samples and nothing else, 24 bits in three bytes")
func rawFile() throws {
  let scratch = Scratch()
  let writer = try AudioFileWriter(path: scratch.file("a.raw"), samples: .int24, sampleRate: 48000, channelCount: 2)
  try writer.write([[0.5], [-1]])
  try writer.finish()
  #expect(contents(scratch.file("a.raw")) == [0, 0, 0x40, 0, 0, 0x80])
}

@Test("Threads that share a writer lose nothing of what they write", .timeLimit(.minutes(1)))
func sharedWriter() throws {
  let scratch = Scratch()
  let path = scratch.file("a.wav")
  let writer = try AudioFileWriter(path: path, samples: .float32, sampleRate: 48000, channelCount: 2)
  DispatchQueue.concurrentPerform(iterations: 8) { part in
    for _ in 0..<100 { #expect(throws: Never.self) { try writer.write([[Float(part)], [Float(part)]]) } }
  }
  try writer.finish()
  #expect(writer.frameCount == 800)
  let channels = try AudioFileReader(path: path).readAll().channels.map(Array.init)
  #expect(channels[0] == channels[1])
  #expect(channels[0].sorted() == (0..<8).flatMap { [Float](repeating: Float($0), count: 100) })
}
