import Glibc
import SynthAudioFiles
import SynthSoundFonts
import SynthText
import Testing

@Suite("A file costs what it has, not what it promises", .timeLimit(.minutes(2)))
struct PromisedSizeTests {
  private let folder: String

  init() {
    var template = Array("/tmp/promises-XXXXXX".utf8CString)
    folder = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
  }

  /// A second of a tone as FLAC, which says that it has more frames.
  private func flac(frameCount: Int) throws -> String {
    let path = "\(folder)/a.flac"
    let writer = try AudioFileWriter(path: path, sampleRate: 48000, channelCount: 1)
    var samples = (0..<48000).map { Float($0 % 100) / 200 }
    try samples.withUnsafeMutableBufferPointer { try writer.write(interleaved: $0.baseAddress!, frameCount: 48000) }
    try writer.finish()
    // Behind the lower half of the samples' width less 1, 15, of which only the lower four bits are here.
    let count = [UInt8(0xF0 | frameCount >> 32 & 0xF)] + (0..<4).map { UInt8(frameCount >> (24 - 8 * $0) & 0xFF) }
    let descriptor = open(path, O_WRONLY)
    #expect(pwrite(descriptor, count, 5, 21) == 5)
    close(descriptor)
    return path
  }

  private func removeAll() {
    for name in ["a.flac", "a.sf2", "a.wav"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  @Test("A sample that promises hours in kilobytes is refused before it is read")
  func sample() throws {
    defer { removeAll() }
    let path = try flac(frameCount: 1 << 28)
    let error = #expect(throws: SoundFontError.self) { try SoundFont(path: path) }
    #expect(error?.description.contains("it is longer than a file of") == true)
  }

  @Test("A sample whose file is a hole is refused before it is read")
  func hole() throws {
    defer { removeAll() }
    let path = "\(folder)/a.wav"
    let writer = try AudioFileWriter(path: path, sampleRate: 48000, channelCount: 2)
    try writer.finish()
    // The sizes of RIFF and of its samples, which begin at the file's end.
    let end = 1 << 30
    let descriptor = open(path, O_RDWR)
    let head = Int(lseek(descriptor, 0, SEEK_END))
    for (place, size) in [(4, end - 8), (head - 4, end - head)] {
      let bytes = (0..<4).map { UInt8(size >> (8 * $0) & 0xFF) }
      #expect(pwrite(descriptor, bytes, 4, place) == 4)
    }
    #expect(ftruncate(descriptor, end) == 0)
    close(descriptor)
    let error = #expect(throws: SoundFontError.self) { try SoundFont(path: path) }
    #expect(error?.description.contains("it is longer than a file of") == true)
  }

  @Test("A song that promises what no file of its size holds is counted")
  func song() throws {
    defer { removeAll() }
    #expect(try FileSound(path: flac(frameCount: 1 << 35)).frameCount == 48000)
  }

  @Test("Zeros without end behind a font's head are not walked through")
  func zeros() throws {
    defer { removeAll() }
    let path = "\(folder)/a.sf2"
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    let head = Array("RIFF\0\0\0\0sfbk".utf8)
    #expect(write(descriptor, head, head.count) == head.count && ftruncate(descriptor, 1 << 40) == 0)
    close(descriptor)
    let error = #expect(throws: SoundFontError.self) { try SoundFont(path: path) }
    #expect(error?.cause == .missingChunk)
  }

  @Test("A JSON object of 200,000 keys takes no time for each pair of them")
  func keys() throws {
    let text = "{" + (0..<200_000).map { "\"key \($0)\":0" }.joined(separator: ",") + ",\"key 7\":1}"
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
    #expect(error?.problem == "\"key 7\" is there twice")
  }
}
