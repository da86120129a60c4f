import Foundation
import SynthRealtime
import Testing

@testable import SynthSoundFonts

@Suite("A font that another program shortens while it is mapped", .timeLimit(.minutes(1)))
struct FontBytesTests {
  /// A file of ones, of some pages.
  private static func ones() throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "ones-\(UUID()).sf2").path
    try Data(repeating: 1, count: 40 * 4096).write(to: URL(filePath: path))
    return path
  }

  @Test("what is gone is read as zeros, what is left as it was; opened again, it is as it is")
  func shortened() throws {
    let path = try Self.ones()
    defer { unlink(path) }
    let bytes = try FontBytes(path: path)
    #expect(bytes.byte(39 * 4096) == 1)
    #expect(truncate(path, 4096) == 0)
    #expect(bytes.byte(20 * 4096 + 5) == 0 && bytes.long(4096) == 0 && bytes.byte(bytes.count - 1) == 0)
    #expect(bytes.byte(4095) == 1 && bytes.byte(0) == 1)
    #expect(try FontBytes(path: path).count == 4096)
  }

  @Test("it is so on a thread of the library too")
  func worker() async {
    await #expect(processExitsWith: .success) {
      let path = try Self.ones()
      let bytes = try FontBytes(path: path)
      guard truncate(path, 4096) == 0, unlink(path) == 0 else { exit(1) }
      try WorkerThread(named: "reader") { if bytes.byte(20 * 4096) != 0 { exit(1) } }.join()
    }
  }

  @Test("what is gone is zeros in each of many that are open at one time")
  func many() async {
    await #expect(processExitsWith: .success) {
      let path = try Self.ones()
      let fonts = try (0..<600).map { _ in try FontBytes(path: path) }
      guard truncate(path, 4096) == 0, unlink(path) == 0 else { exit(1) }
      for font in fonts where font.byte(20 * 4096) != 0 { exit(1) }
    }
  }

  @Test("a SIGBUS that a program sends ends the process as ever")
  func sent() async {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      let path = try Self.ones()
      let bytes = try FontBytes(path: path)
      unlink(path)
      raise(SIGBUS)
      exit(bytes.count > 0 ? 0 : 1)
    }
  }

  @Test("fonts that are closed are forgotten: any number may be opened one after the other")
  func forgotten() throws {
    for _ in 0..<300 { try shortened() }
  }

  @Test("mappings that are no fonts end the process as ever")
  func others() async {
    await #expect(processExitsWith: .failure) {
      let path = try Self.ones()
      let bytes = try FontBytes(path: path)
      let pages = mmap(nil, bytes.count, PROT_READ, MAP_PRIVATE, open(path, O_RDONLY), 0)
      guard truncate(path, 4096) == 0, unlink(path) == 0, bytes.byte(8192) == 0 else { exit(0) }
      print(pages?.load(fromByteOffset: 8192, as: UInt8.self) ?? 0)
      exit(0)
    }
  }
}
