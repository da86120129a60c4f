import SynthText

/// The page of the manual, `man synth`, made of the same data as the help pages, in the macros of man(7).
enum ManualPage {
  static var text: String {
    let head = [".TH SYNTH 1 \"\" \"synth \(Request.release)\" \"User Commands\""]
    let name = [".SH NAME", "synth \\- a MIDI software synthesizer"]
    let synopsis = [".SH SYNOPSIS"] + CommandName.allCases.flatMap(\.forms).flatMap { [".B \(roff($0.form))", ".br"] }
    let description = [".SH DESCRIPTION"] + paragraph(about)
    let commands = [".SH COMMANDS"] + CommandName.allCases.flatMap(section)
    return ([head, name, synopsis, description, commands] + sections.map { [".SH \($0)"] + $1 }).joined()
      .map { $0 + "\n" }.joined()
  }

  private static let about =
    "synth plays what comes from MIDI keyboards, MIDI files and audio files, on soundfonts and oscillator "
    + "instruments, through a mixer, reverb and chorus, a ten-band equalizer, a limiter and a channel map, on any ALSA "
    + "device or into a file."

  /// What concerns all commands.
  private static let sections: [(String, [String])] = [
    (
      "EXIT STATUS",
      list([
        ("0", "success"), ("1", "failure; of synth doctor: something does not work"), ("2", "wrong usage"),
        ("128 and a signal's number", "ended by it: 130 by Ctrl-C; 0 by SIGTERM as a service"),
      ])
    ),
    (
      "ENVIRONMENT",
      list([
        ("SYNTH_SOUNDFONT", "the soundfont where none is named"),
        ("XDG_CONFIG_HOME", "where synth/config.json is, in place of ~/.config"),
        ("XDG_DATA_HOME", "where synth/soundfonts and synth/presets are, in place of ~/.local/share"),
      ])
    ),
    (
      "FILES",
      list([
        ("~/.config/synth/config.json, /etc/synth/config.json", "options that need not be typed"),
        ("~/.local/share/synth/soundfonts", "soundfonts, the first of which is preferred to the system's"),
        ("~/.local/share/synth/presets", "equalizer presets; in its directory instruments, instruments"),
      ])
    ),
    ("SEE ALSO", [".BR aconnect (1),", ".BR aplay (1),", ".BR systemctl (1)"]),
  ]

  private static func section(_ command: CommandName) -> [String] {
    let options = command.command.options
    let groups = command.groups.flatMap { group in
      let items = group.options.filter { options.contains($0.option) }.map { ($0.form, $0.text) }
      return items.isEmpty ? [] : [".PP", ".I \(roff(group.title))"] + list(items)
    }
    return [".SS \(command == .play ? "synth, synth play" : "synth \(command)")"]
      + list(command.forms.map { ($0.form, $0.purpose) }) + groups + command.notes.flatMap(paragraph)
      + [".PP", "Examples:"] + list(command.examples.map { ($0.line, $0.purpose) })
  }

  private static func paragraph(_ text: String) -> [String] {
    [".PP", roff(text.split(separator: "\n").joined(separator: " "))]
  }

  /// Terms in bold, each with its explanation.
  private static func list(_ items: [(term: String, text: String)]) -> [String] {
    items.flatMap { [".TP", ".B \(roff($0.term))", roff($0.text)] }
  }

  /// A line as it is to be read: what troff would interpret is escaped.
  private static func roff(_ text: String) -> String {
    let escapes: [Character: String] = [
      "\\": "\\e", "-": "\\-", "'": "\\(aq", "\"": "\\(dq", "~": "\\(ti", "`": "\\(ga",
    ]
    let line = text.map { escapes[$0] ?? String($0) }.joined()
    return line.hasPrefix(".") ? "\\&\(line)" : line
  }
}
