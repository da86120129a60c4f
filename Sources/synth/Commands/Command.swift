import Glibc
import SynthFiles
import SynthText

/// A command of the program: it reads its words, and does what they say.
protocol Command {
  static var options: [Option] { get }

  /// - Parameter tokens: the words after the command's name.
  init(_ tokens: [String]) throws(UsageError)

  func run() throws
}

/// What a command line asks for.
enum Request {
  case command(any Command)
  /// About all commands, if about none of them.
  case help(CommandName?)
  case version
  /// The page of the manual, for `make install`.
  case manual
  /// A script for a shell, likewise.
  case completions(Completions.Shell)

  /// The one place that has it: `make` reads this line for packages.
  static let release = "0.2.1"

  init(_ tokens: [String]) throws(UsageError) {
    let words = tokens.prefix { $0 != "--" }
    let plain = words.filter { !$0.hasPrefix("-") }
    if tokens == ["help", "--man"] {
      self = .manual
    } else if tokens.first == "help", tokens.dropFirst().first == "--completion" {
      let word = tokens.dropFirst(2).first ?? ""
      guard tokens.count == 3, let shell = Completions.Shell(rawValue: word) else {
        throw .missing("help --completion: give bash, zsh or fish")
      }
      self = .completions(shell)
    } else if tokens.first == "help" {
      self = .help(try plain.dropFirst().first { $0 != "help" }.map(Self.named))
    } else if words.contains("--help") || words.contains("-h") {
      self = .help(words.count == 1 ? nil : plain.first.flatMap(CommandName.init) ?? CommandName(of: tokens))
    } else if words.contains("--version") {
      self = .version
    } else if let name = tokens.first.flatMap(CommandName.init) {
      self = .command(try name.command.init(Array(tokens.dropFirst())))
    } else {
      if let word = tokens.first, Self.looksLikeCommand(word) { _ = try Self.named(word) }
      self = .command(try PlayCommand(tokens))
    }
  }

  private static func looksLikeCommand(_ word: String) -> Bool {
    !word.contains { "-./".contains($0) } && access(word.cPath, F_OK) != 0
  }

  private static func named(_ word: String) throws(UsageError) -> CommandName {
    if let name = CommandName(rawValue: word) { return name }
    let names = CommandName.allCases.map(\.rawValue)
    throw .unknownCommand(word, nearest: EditDistance.nearest(to: word, among: names))
  }

  func run() throws {
    switch self {
    case .command(let command): try command.run()
    case .help(let name): print(name.map(HelpPage.text) ?? HelpPage.overview)
    case .manual: print(ManualPage.text, terminator: "")
    case .completions(let shell): print(Completions.script(for: shell), terminator: "")
    case .version: print("synth \(Self.release)")
    }
  }
}
