import Glibc
import SynthAudioFiles
import SynthDSP
import SynthFiles
import SynthMIDI
import SynthSoundFonts
import TestSupport
import Testing

@testable import SynthKit

@Suite("What is no regular file is refused, and not waited for", .timeLimit(.minutes(2)))
struct OutsideFileTests {
  private let files = StrangeFiles()

  private func expectRefusals(_ open: (String) throws -> Void) {
    for (kind, path) in files.all {
      let error = #expect(throws: (any Error).self, "\(kind)") { try open(path) }
      let lineCount = "\(error.map { "\($0)" } ?? "")".split(separator: "\n").count
      #expect(lineCount == 1, "\(kind)")
    }
  }

  @Test func presets() { expectRefusals { _ = try EqualizerPresetLibrary.standard().preset($0) } }

  @Test func instruments() { expectRefusals { _ = try InstrumentLibrary.standard().patch($0) } }

  @Test func songs() { expectRefusals { _ = try MIDIFile(path: $0) } }

  @Test func audioFiles() { expectRefusals { _ = try AudioFileReader(path: $0) } }

  @Test func samples() { expectRefusals { _ = try SoundFont(path: $0) } }

  @Test func soundFonts() {
    expectRefusals { path in
      var configuration = SynthesizerConfiguration(soundFonts: [path])
      configuration.instruments.sampler.engine = .fluidSynth
      _ = try Synthesizer(configuration)
    }
  }

  @Test func headRelatedTransferFunctions() { expectRefusals { _ = try HRTFSet(path: $0) } }

  @Test func learnedControls() {
    for (kind, path) in files.all where kind != "missing" {
      #expect(throws: ResourceError.self, "\(kind)") { try LearnedStore(path: path).read() }
    }
  }

  @Test("and each is called by its name")
  func names() {
    let reasons = files.all.map { kind, path -> String in
      do throws(FileProblem) {
        return "\(kind): \(try OutsideFile(path: path).bytes(limit: 1 << 16).count) bytes"
      } catch {
        return "\(kind): \(error.reason)"
      }
    }
    #expect(
      reasons.filter { !$0.hasPrefix("kernel") } == [
        "pipe: it is a named pipe, not a regular file", "folder: is a directory",
        "socket: it is a socket, not a regular file", "zero: it is a device, not a regular file", "empty: 0 bytes",
        "hole: the file is larger than 64 KiB", "missing: no such file or directory",
      ])
  }

  @Test("a file that is not to be read is not")
  func noPermission() throws {
    let path = "\(files.folder)/secret"
    close(open(path, O_WRONLY | O_CREAT, 0o000))
    defer { unlink(path) }
    // The superuser reads it all the same.
    guard geteuid() != 0 else { return }
    #expect(throws: FileProblem.system(EACCES)) { _ = try OutsideFile(path: path).descriptor }
  }

  @Test("A file is replaced as a whole, keeps its permissions, and is followed through links")
  func replaced() throws {
    let (path, link) = ("\(files.folder)/state", "\(files.folder)/link")
    defer { for name in [path, link] { unlink(name) } }
    try WholeFile.write([1], to: path, mode: 0o600)
    symlink(path, link)
    chmod(path, 0o640)
    try WholeFile.write([1, 2], to: link)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode == S_IFREG | 0o640)
    #expect(try OutsideFile(path: link).bytes(limit: 8) == [1, 2])
    let names = directoryEntries(files.folder)
    #expect(!names.contains { $0.hasSuffix(".new") })
    #expect(throws: FileProblem.system(ENOENT)) { try WholeFile.write([], to: "\(files.folder)/no/state") }
  }
}
