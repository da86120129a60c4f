import Glibc
import SynthAudioFiles
import TestSupport
import Testing

@Test(
  "A damaged or shortened file is read as far as it goes, or refused in one line", .timeLimit(.minutes(5)),
  arguments: ["wav", "flac", "ogg", "opus", "mp3"])
func damagedFile(name: String) throws {
  let scratch = Scratch()
  let path = scratch.file("a.\(name)")
  let writer = try AudioFileWriter(
    path: path, sampleRate: 48000, channelCount: 2, tags: [.title: "a title", .artist: "me"])
  let samples = (0..<9600).map { Float($0 % 100) / 200 }
  try writer.write([samples, samples])
  try writer.finish()
  let whole = contents(path)
  var random = SplitMix64(seed: 1)
  for round in 0..<300 {
    var bytes = whole
    if round % 3 == 0 { bytes.removeLast(random.next(below: bytes.count)) }
    for _ in 0..<(1 + random.next(below: 8)) where !bytes.isEmpty {
      // Half of them in the headers.
      let limit = round % 2 == 0 ? min(200, bytes.count) : bytes.count
      bytes[random.next(below: limit)] = UInt8(truncatingIfNeeded: random.next(below: 256))
    }
    let file = try #require(fopen(path, "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    do throws(AudioFileError) {
      let reader = try AudioFileReader(path: path)
      // A header may claim any length.
      for _ in 0..<8 where try reader.read(1 << 14).isEmpty { break }
      #expect(!reader.format.isEmpty && reader.tags.values.allSatisfy { $0.count <= bytes.count })
    } catch {
      #expect(!error.description.contains("\n"))
    }
  }
}
