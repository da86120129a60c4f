// What an asker is told.

extension Asker {
  /// As errors call it.
  private var words: String {
    switch self {
    case .network: "the network"
    case .page: "a page"
    case .socket: "synth ctl"
    case .owner: "the terminal"
    }
  }

  /// Why this asker may not give a command, and who may.
  ///
  /// - Parameter least: the least asker that may.
  func refusal(of command: String, least: Asker) -> SynthesizerCommandError {
    let others = Asker.allCases.filter { $0 >= least }.map(\.words)
    let last = others.count > 1 ? " or \(others[others.count - 1])" : ""
    let list = others.count > 1 ? others.dropLast().joined(separator: ", ") + last : others.joined()
    return .refused("\(command): \(words) may not do this; use \(list)")
  }

  /// Whether it is told where files are; the others are told their names alone.
  package var seesPaths: Bool { self >= .socket }

  /// A text as this asker is told it: absolute paths without their directories, unless the asker sees paths.
  package func shown(_ text: String) -> String { seesPaths ? text : Self.withoutDirectories(text) }

  /// "reading take.flac: …" of "reading /home/one/take.flac: …".
  ///
  /// A directory may have blanks in its name, so a path goes on to the last slash before a mark that ends one: rather
  /// too much is left out than a part of a path is told.
  private static func withoutDirectories(_ text: String) -> String {
    var rest = text[...]
    var shown = ""
    while let start = pathStart(in: rest) {
      shown += rest[..<start]
      rest = rest[start...]
      let end = ends.compactMap { rest.firstRange(of: $0)?.lowerBound }.min() ?? rest.endIndex
      guard let slash = rest[..<end].dropFirst().lastIndex(of: "/") else {
        shown += rest[..<end]
        rest = rest[end...]
        continue
      }
      rest = rest[rest.index(after: slash)...]
      // What follows is the name of the file, which may look like the start of a path no more.
      let next = rest.firstIndex { $0.isWhitespace || $0 == "/" } ?? rest.endIndex
      shown += rest[..<next]
      rest = rest[next...]
    }
    return shown + rest
  }

  /// What ends a path in a line of text.
  private static let ends = [": ", ", ", "; ", "\"", "\n"]

  /// Where the next absolute path begins: at a slash that a word begins with, behind a mark perhaps.
  private static func pathStart(in text: Substring) -> Substring.Index? {
    var before: Character = " "
    for index in text.indices {
      defer { before = text[index] }
      guard text[index] == "/", before.isWhitespace || "\"'(".contains(before) else { continue }
      if let next = text[index...].dropFirst().first, !next.isWhitespace { return index }
    }
    return nil
  }
}
