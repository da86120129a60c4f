import SynthFiles
import SynthKit

/// The commands that were typed, kept between starts: a line each in one file, the oldest first.
struct CommandHistory {
  static let limit = 500
  /// More than lines of the longest kind take.
  private static let sizeLimit = 1 << 20

  private let path: String?
  private(set) var lines: [String]
  /// Those of this start.
  private var added: [String] = []

  /// - Parameter path: nil where there is no place for it.
  init(at path: String? = StateFile.directory.map { "\($0)/history" }) {
    self.path = path
    lines = path.map(Self.read) ?? []
  }

  /// A blank line is not kept, and of one that is repeated at once the first.
  mutating func add(_ line: String) {
    guard line.contains(where: { !$0.isWhitespace }), line != lines.last else { return }
    lines = (lines + [line]).suffix(Self.limit)
    added = (added + [line]).suffix(Self.limit)
  }

  /// Writes what has been added behind what others have kept meanwhile. Where that cannot be written, nothing is lost
  /// that anyone has to be told of.
  mutating func keep() {
    guard let path, !added.isEmpty else { return }
    let all = (Self.read(path) + added).suffix(Self.limit)
    try? StateFile.write(Array(all.map { $0 + "\n" }.joined().utf8), to: path)
    added = []
  }

  private static func read(_ path: String) -> [String] {
    guard let bytes = try? OutsideFile(path: path).bytes(limit: sizeLimit) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init).suffix(limit)
  }
}
