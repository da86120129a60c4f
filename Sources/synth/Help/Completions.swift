/// What shells complete, made of the same data as the help pages.
enum Completions {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  static func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// What can stand for a value or an operand.
  enum Words: Equatable {
    /// Only a person knows.
    case unknown
    case files
    case choices([String])
    /// What a line of shell prints, a word a line.
    case printed(String)

    /// What the program itself lists.
    static let devices = printed("synth devices 2>/dev/null | sed -n 's/^  \\(hw:[^ ]*\\) .*/\\1/p'; echo default")
    static let destinations = printed("aconnect -o 2>/dev/null | sed -n \"s/^client [0-9]*: '\\([^']*\\)'.*/\\1/p\"")
    static let presets = printed("synth presets 2>/dev/null | awk '{print $2}'")
    static let instruments = printed("synth instruments 2>/dev/null | awk '{print $1}'")
  }

  /// The options of a command, each once, with the explanation that is shorter to read.
  static func options(of command: CommandName) -> [OptionHelp] {
    let known = command.groups.flatMap(\.options).filter { command.command.options.contains($0.option) }
    return known.enumerated().filter { index, help in
      !known[..<index].contains { $0.option == help.option }
    }.map(\.element)
  }

  /// What stands where no option does.
  static func operands(of command: CommandName) -> Words {
    switch command {
    case .play, .render, .send, .info, .font: .files
    case .presets: .choices(["show"])
    case .record, .through, .instruments, .devices, .ctl, .doctor, .graph, .tone, .config: .unknown
    }
  }
}

extension OptionHelp {
  /// What its value can be; nil where it takes none.
  var words: Completions.Words? {
    guard option.takesValue else { return nil }
    switch option {
    case .preset: return .presets
    case .instrument: return .instruments
    case .device, .input, .fallback: return .devices
    case .to: return .destinations
    default: break
    }
    let choices = value.split(separator: "|").map(String.init)
    if choices.contains("FILE") { return .files }
    let words = choices.filter { $0.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" } }
    return words.isEmpty ? .unknown : .choices(words)
  }
}
