extension Completions {
  /// For bash alone, without the package bash-completion.
  static var bash: String {
    let cases = CommandName.allCases.map { command in
      let options = options(of: command)
      let values = options.compactMap { help in
        help.words.map { "        \(help.option.spellings.joined(separator: "|"))) \(bash($0)) ;;" }
      }
      let names = options.flatMap { $0.option.spellings } + ["--help"]
      return """
            \(command.rawValue))
              case $option in
        \(values.joined(separator: "\n"))
                *) _synth_reply "$current" "\(names.joined(separator: "\n"))" \(bash(operands(of: command))) ;;
              esac ;;
        """
    }
    return """
      # Completions of synth for bash.

      # What begins with a text; words with : or = are several to readline, which replaces the last of them.
      _synth_words() {
        local IFS=$'\\n' start=${current%"${current##*[:=]}"}
        mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
        COMPREPLY=("${COMPREPLY[@]#"$start"}")
      }

      _synth_files() {
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
      }

      # Options where one has begun, else what the rest of the words does.
      _synth_reply() {
        if [[ $1 == -* ]]; then _synth_words "$2"; else "${@:3}"; fi
      }

      _synth() {
        local words current option command=play line=${COMP_LINE:0:COMP_POINT}
        read -ra words <<<"$line"
        [[ $line == *[[:blank:]] ]] && words+=("")
        current=${words[-1]} option=${words[-2]}
        if [[ $current == --*=* ]]; then option=${current%%=*} current=${current#*=}; fi
        case ${words[1]} in \(CommandName.allCases.map(\.rawValue).joined(separator: "|"))) command=${words[1]} ;; esac
        if ((${#words[@]} == 2)) && [[ $current != -* && $current != */* ]]; then
          _synth_words "\((CommandName.allCases.map(\.rawValue) + ["help"]).joined(separator: "\n"))"
          ((${#COMPREPLY[@]})) || _synth_files
          return
        fi
        case $command in
      \(cases.joined(separator: "\n"))
        esac
      }
      complete -F _synth synth

      """
  }

  private static func bash(_ words: Words) -> String {
    switch words {
    case .unknown: ":"
    case .files: "_synth_files"
    case .choices(let words): "_synth_words \(quoted(words.joined(separator: "\n")))"
    case .printed(let line): "_synth_words \"$(\(line))\""
    }
  }

  /// A word of any shell.
  static func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}
