import Foundation
import TestSupport

/// A directory with small songs, and what is rendered from them. They sound for a quarter of a second.
struct SongFolder {
  let directory = try! TemporaryDirectory()

  func path(_ name: String) -> String { directory.path(name) }

  /// Writes a song, in a folder that is made.
  func add(_ name: String, key: UInt8 = 60, bytes: [UInt8]? = nil) throws {
    let url = URL(filePath: path("songs/\(name)"))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let song = smf(format: 0, tracks: [[0, 0xC0, key & 7] + note(key) + vlq(240) + [0x80, key, 0] + end()])
    try Data(bytes ?? song).write(to: url)
  }

  func add(count: Int) throws {
    for number in 0..<count { try add("\(number).mid", key: UInt8(40 + number)) }
  }

  /// Renders all songs at 8 kHz, without the reverb's tail.
  func render(into output: String, _ arguments: String...) throws -> Program.Result {
    try Program.run(self.arguments(into: output) + arguments)
  }

  func arguments(into output: String) -> [String] {
    ["render", path("songs"), "-o", path(output) + "/", "--rate", "8000", "--reverb", "off"]
  }

  /// Of all files below a folder, by their paths in it.
  func files(in folder: String) throws -> [String: Data] {
    let root = path(folder)
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    let files = names.filter { !isDirectory("\(root)/\($0)") }
    return try Dictionary(
      uniqueKeysWithValues: files.map { ($0, try Data(contentsOf: URL(filePath: "\(root)/\($0)"))) })
  }

  private func isDirectory(_ path: String) -> Bool {
    (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
  }
}
