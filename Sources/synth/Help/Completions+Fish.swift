extension Completions {
  static var fish: String {
    let names = CommandName.allCases.map(\.rawValue)
    let isFirst = "__fish_is_nth_token 1"
    let commands = CommandName.allCases.map {
      "complete -c synth -n \(quoted(isFirst)) -a \($0.rawValue) -d \(fish($0.forms[0].purpose))"
    }
    let others = names.filter { $0 != CommandName.play.rawValue }.joined(separator: " ")
    let options = CommandName.allCases.flatMap { command in
      let condition =
        command == .play
        ? "not __fish_seen_subcommand_from \(others)" : "__fish_seen_subcommand_from \(command.rawValue)"
      let silent = operands(of: command) == .files ? [] : ["complete -c synth -n \(quoted(condition)) -f"]
      let shown = command == .presets ? ["complete -c synth -n \(quoted(condition)) -f -a show"] : []
      return silent + shown
        + Self.options(of: command).map { "complete -c synth -n \(quoted(condition)) \(fish($0))" }
    }
    return "# Completions of synth for fish.\n\n" + (commands + options).joined(separator: "\n") + "\n"
  }

  private static func fish(_ help: OptionHelp) -> String {
    let spelling = help.option.spellings.map {
      $0.hasPrefix("--") ? "-l \($0.dropFirst(2))" : "-s \($0.dropFirst())"
    }
    .joined(separator: " ")
    let start = "\(spelling) -d \(fish(help.text))"
    return switch help.words {
    case nil: start
    case .files: "\(start) -r -F"
    case .unknown: "\(start) -x"
    case .choices(let words): "\(start) -x -a \(fish(words.joined(separator: " ")))"
    case .printed(let line): "\(start) -x -a \(fish("(\(line))"))"
    }
  }

  /// In its single quotes a backslash escapes.
  private static func fish(_ text: String) -> String {
    "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
