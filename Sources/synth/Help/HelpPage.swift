import SynthKit

/// What `synth --help` and `synth COMMAND --help` print.
enum HelpPage {
  /// All commands, and the options most people need.
  static var overview: String {
    let usual: [Option] = [.soundFont, .preset, .instrument, .reverb, .device, .latency, .connect]
    let options = [OptionGroup.sound, .outputs, .keyboards].flatMap(\.options).filter { usual.contains($0.option) }
    return page([
      "synth — a MIDI software synthesizer",
      CommandName.allCases.map(forms).joined(separator: "\n"),
      "Options most people need\n" + options.map(\.lines).joined(separator: "\n"),
      "synth COMMAND --help explains a command and all its options; synth play --help\nis about keyboards and songs, man synth about everything.",
    ])
  }

  /// All about one command.
  static func text(of command: CommandName) -> String {
    let options = command.command.options
    return page(
      [forms(of: command)] + command.groups.compactMap { $0.text(for: options) } + command.notes + [
        examples(of: command)
      ])
  }

  /// How the page is called for that sets a command line right.
  static func call(for error: UsageError, _ tokens: [String]) -> String {
    if case .unknownCommand = error { return "synth --help" }
    return "synth \(CommandName(of: tokens)) --help"
  }

  private static func page(_ paragraphs: [String]) -> String { paragraphs.joined(separator: "\n\n") }

  private static func examples(of command: CommandName) -> String {
    "Examples\n" + command.examples.map { wrapped("  \($0.line)\n\($0.purpose)", 6) }.joined(separator: "\n")
  }

  /// How a command is written, a line each, with what it does beside it.
  private static func forms(of command: CommandName) -> String {
    command.forms.map { wrapped(padded($0.form, 31) + " " + $0.purpose, 32) }.joined(separator: "\n")
  }
}
