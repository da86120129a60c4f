extension Completions {
  static var zsh: String {
    let commands = CommandName.allCases.map { quoted("\($0.rawValue):\($0.forms[0].purpose)") }
    let cases = CommandName.allCases.map { command in
      let options = options(of: command).flatMap { help in
        help.option.spellings.map { zsh(help, $0) }
      }
      let operands = "'*:operand:\(zsh(operands(of: command)))'"
      return "    \(command.rawValue)) _arguments -S \\\n"
        + (options + [operands]).map { "      \($0)" }.joined(separator: " \\\n") + " ;;"
    }
    return """
      #compdef synth
      # Completions of synth for zsh.

      _synth_printed() {
        local -a found=("${(@f)$(eval $1)}")
        compadd -a found
      }

      _synth() {
        local command=play
        local -a commands=(\(commands.joined(separator: " ")))
        if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
          _describe command commands
          _files
          return
        fi
        if (($commands[(I)$words[2]:*])); then
          command=$words[2]
          shift words
          ((CURRENT--))
        fi
        case $command in
      \(cases.joined(separator: "\n"))
        esac
      }
      _synth "$@"

      """
  }

  private static func zsh(_ help: OptionHelp, _ spelling: String) -> String {
    let text = help.text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    guard let words = help.words else { return quoted("*\(spelling)[\(text)]") }
    let separator = spelling.hasPrefix("--") ? "=" : ""
    let start = quoted(
      "*\(spelling)\(separator)[\(text)]:\(help.value.map { $0 == ":" ? "\\:" : String($0) }.joined()):")
    return start + quoted(zsh(words))
  }

  private static func zsh(_ words: Words) -> String {
    switch words {
    case .unknown: " "
    case .files: "_files"
    case .choices(let words): "(\(words.joined(separator: " ")))"
    case .printed(let line): "{_synth_printed \(quoted(line))}"
    }
  }
}
