import SynthText

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
  private var seesPaths: Bool { self >= .socket }

  /// A value as this asker is told it: absolute paths in its texts without their directories, unless the asker sees
  /// paths.
  func shown(_ value: JSONValue) -> JSONValue {
    guard !seesPaths else { return value }
    return switch value.content {
    case .string(let text): .string(Self.withoutDirectories(text))
    case .array(let values): .array(values.map(shown))
    // An answer repeats the asker's own id.
    case .object(let members): .object(members.map { ($0.key, $0.key == "id" ? $0.value : shown($0.value)) })
    case .null, .bool, .number: value
    }
  }

  /// "reading take.flac: …" of "reading /home/one/take.flac: …".
  static func withoutDirectories(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
    var shown = ""
    var word = text.startIndex
    while word < text.endIndex {
      let end = text[word...].firstIndex { $0.isWhitespace } ?? text.endIndex
      shown += withoutDirectory(text[word..<end])
      let next = text[end...].firstIndex { !$0.isWhitespace } ?? text.endIndex
      shown += text[end..<next]
      word = next
    }
    return shown
  }

  /// Marks may stand before the path.
  private static func withoutDirectory(_ word: Substring) -> Substring {
    let path = word.drop { "\"'(".contains($0) }
    guard path.hasPrefix("/"), let slash = path.dropFirst().lastIndex(of: "/") else { return word }
    return word[..<path.startIndex] + path[path.index(after: slash)...]
  }
}
