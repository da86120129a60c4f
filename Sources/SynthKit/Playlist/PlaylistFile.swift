import Glibc
import SynthFiles
import SynthMIDI

/// An M3U playlist: a path a line, relative to the list's folder, and comments, of which `#EXTINF` gives titles.
///
/// It is read in UTF-8, or where it is not valid in what it seems to be (`TextEncoding`). A path whose bytes name a
/// file as they are stays what it is.
public struct PlaylistFile: Sendable {
  /// What a line names.
  public struct Entry: Hashable, Sendable {
    /// Absolute, or relative to where the list's own path is relative to.
    public let path: String
    /// As `#EXTINF` has it; nil where it has none.
    public let title: String?
  }

  /// In the order of the file.
  public let entries: [Entry]
  /// What cannot be played, a line each, but not without end.
  public let problems: [String]

  /// The extensions of playlists, in lower case.
  public static let extensions: Set<String> = ["m3u", "m3u8"]

  private static let problemLimit = 5
  /// Linux takes no longer path.
  private static let longestPath = 4095

  /// Reads a file. [control thread]
  public init(path: String) throws(MIDIFileError) { self.init(bytes: try MIDIFile.bytes(ofFile: path), path: path) }

  /// - Parameter path: of the list.
  public init(bytes: [UInt8], path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let lines = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
      .split(omittingEmptySubsequences: false) { $0 == 0x0A }
    let decoder = TextDecoder(lines.lazy.map { $0 })
    var entries: [Entry] = []
    var problems: [String] = []
    var title: String?
    for (index, line) in lines.enumerated() {
      let text = decoder.string(line).trimmingBlanks
      if text.hasPrefix("#") {
        title = Self.title(text) ?? title
      } else if !text.isEmpty {
        do throws(LineProblem) {
          guard !line.contains(0) else { throw .noText }
          let path = try Self.path(text, in: folder)
          let asWritten = try Self.path(String(path: line).trimmingBlanks, in: folder)
          entries.append(Entry(path: access(asWritten.cPath, F_OK) == 0 ? asWritten : path, title: title))
        } catch {
          problems.append("\(path): line \(index + 1): \(error.description)")
        }
        title = nil
      }
    }
    self.entries = entries
    let rest = problems.count - Self.problemLimit
    self.problems =
      problems.prefix(Self.problemLimit) + (rest > 0 ? ["\(path): and \(rest) more lines like these"] : [])
  }

  /// Of "#EXTINF:123,Artist - Title".
  private static func title(_ comment: String) -> String? {
    guard comment.uppercased().hasPrefix("#EXTINF:"), let comma = comment.firstIndex(of: ",") else { return nil }
    let title = String(comment[comment.index(after: comma)...]).trimmingBlanks
    return title.isEmpty ? nil : title
  }

  private static func path(_ text: String, in folder: String) throws(LineProblem) -> String {
    var path = text
    if let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") {
      guard text[..<colon].lowercased() == "file" else { throw .elsewhere(text) }
      let rest = text[colon...].dropFirst(3)
      // The host is this one.
      guard let start = rest.firstIndex(of: "/"), let decoded = decoded(rest[start...]) else { throw .noText }
      path = decoded
    } else if !text.contains("/") {
      // As Windows writes paths.
      path = String(text.map { $0 == "\\" ? "/" : $0 })
    }
    guard !path.dropFirst().hasPrefix(":/") else { throw .elsewhere(text) }
    guard path.pathBytes.count <= longestPath else { throw .tooLong }
    return path.hasPrefix("/") ? path : folder + path
  }

  /// Without percent signs (RFC 3986); nil if one of them stands for no byte.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let digits = String(rest.prefix(2)), let value = UInt8(digits, radix: 16), value > 0, rest.count >= 2
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(path: bytes)
  }
}

/// Why a line names nothing.
private enum LineProblem: Error {
  case noText, tooLong
  case elsewhere(String)

  var description: String {
    switch self {
    case .noText: "it is no text; correct the line"
    case .tooLong: "no path is as long; correct the line"
    case .elsewhere(let text): "\(text) is no file of this machine; give the path of one"
    }
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    let isBlank: (Character) -> Bool = { $0.isWhitespace }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
