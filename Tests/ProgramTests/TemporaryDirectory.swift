import Foundation

/// A directory that is gone with the test.
final class TemporaryDirectory: Sendable {
  private let url = FileManager.default.temporaryDirectory.appending(path: "synth-tests-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a text and gives its path.
  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: url.appending(path: name))
    return path(name)
  }

  var entries: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}
