import Glibc
import SynthRemote
import SynthText

/// `synth ctl`: a command for the synth that plays, its answer, or all that it tells.
struct CtlCommand: Command {
  static let options: [Option] = [.socket, .json]

  private let words: [String]
  private let path: String?
  private let isJSON: Bool

  /// Words with one hyphen are numbers, as in gain -3.
  init(_ tokens: [String]) throws(UsageError) {
    var (words, options) = ([String](), [String]())
    var rest = tokens[...]
    while let token = rest.popFirst() {
      if token == "--" {
        words += rest
        break
      }
      guard token.hasPrefix("--") else {
        words.append(token)
        continue
      }
      options.append(token)
      if token == Option.socket.rawValue, let value = rest.popFirst() { options.append(value) }
    }
    let arguments = try Arguments(options, allowed: Self.options)
    self.words = words
    path = arguments.last(.socket)
    isJSON = arguments.has(.json)
    if words.isEmpty { throw .missing("name what to do, as in synth ctl preset pop; synth ctl help lists all") }
    if words[0] == "get", words.count > 3 { throw .unexpectedOperand(words[3]) }
  }

  func run() throws {
    let connection = try ControlConnection(path: path)
    switch words[0] {
    case "watch" where words.count == 1: try watch(connection)
    case "get": try show(connection.ask("get", .array(words.dropFirst().map { .string($0) })))
    case "status" where words.count == 1 && isJSON: try show(connection.ask("state", .bool(true)))
    case "set" where words.count == 4 && isJSON:
      try show(
        connection.ask("set", .array(words[1...2].map { .string($0) }), [("to", .string(words[3]))]))
    default: try show(connection.ask("do", .string(words.map(Self.quoted).joined(separator: " "))))
    }
  }

  /// As it would be typed: names with blanks in quotation marks.
  private static func quoted(_ word: String) -> String {
    guard word.isEmpty || word.contains(where: \.isWhitespace) else { return word }
    return word.contains("\"") ? "'\(word)'" : "\"\(word)\""
  }

  private func show(_ answer: JSONValue) throws {
    if let problem = answer["error"]?.text { throw CtlError(description: problem) }
    if isJSON {
      print(answer["state"] ?? answer["parameters"] ?? answer["nodes"] ?? answer["answer"] ?? answer)
    } else if let text = answer["answer"]?.text {
      if !text.isEmpty { StandardOutput.show(text) }
    } else if let nodes = answer["nodes"]?.texts {
      StandardOutput.show(nodes.joined(separator: "\n"))
    } else if let parameters = answer["parameters"]?.list {
      for parameter in parameters {
        let text = parameter["text"]?.text ?? ""
        let name = padded(visible(parameter["name"]?.text ?? ""), 31)
        StandardOutput.show(parameters.count == 1 ? text : "\(name) \(text)")
      }
    }
  }

  /// Until synth ends, or the reader does.
  private func watch(_ connection: ControlConnection) throws {
    try connection.send(.object([("subscribe", .object([("state", .bool(true))]))]))
    var state: JSONValue?
    while let line = try connection.next() {
      if isJSON {
        if line["answer"] == nil { print(line) }
      } else if let news = line["news"]?["text"]?.text {
        StandardOutput.show(news)
      } else if let change = line["change"] {
        for words in ChangeWords.lines(of: change, since: state) { StandardOutput.show(words) }
        state = state.map { ChangeWords.merged($0, change) }
      } else if let whole = line["state"] {
        state = whole
      }
      guard fflush(nil) == 0 else { return }
    }
  }
}

/// Why the synth that plays has not done what it was asked for.
private struct CtlError: Error, CustomStringConvertible {
  let description: String
}
