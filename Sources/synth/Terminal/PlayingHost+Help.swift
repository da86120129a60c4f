import SynthKit
import SynthText

/// A command, for a person.
struct CommandHelp {
  let name: String
  /// How it is written.
  let form: String
  let summary: String
  var example: String?
  /// Who may give it at least.
  var by = Asker.network
}

extension PlayingHost {
  /// The commands that are not the synthesizer's.
  var own: [CommandHelp] { Self.own(playsSongs: playsSongs) }

  private static func own(playsSongs: Bool) -> [CommandHelp] {
    (playsSongs ? ofSongs : []) + [
      CommandHelp(name: "presets", form: "presets", summary: "lists the equalizer presets; * marks the one that plays"),
      CommandHelp(name: "instruments", form: "instruments", summary: "what plays where; * marks it in the list of all"),
      CommandHelp(
        name: "status", form: "status", summary: "song, place, tempo, preset, soundfont, levels, output, latency, xruns"
      ),
      CommandHelp(name: "quit", form: "quit", summary: "fades out and ends; q will do", by: .socket),
      CommandHelp(
        name: "help", form: "help [COMMAND]", summary: "this list, or one command", example: "help preset"),
    ]
  }

  /// Who may give them at least, by their first words, the short ones too.
  static func rights(playsSongs: Bool) -> [String: Asker] {
    var rights = Dictionary(own(playsSongs: playsSongs).map { ($0.name, $0.by) }) { first, _ in first }
    for name in ["quit", "next", "previous"] { rights[String(name.prefix(1))] = rights[name] }
    return rights
  }

  private static let ofSongs = [
    CommandHelp(name: "next", form: "next", summary: "the next song; n will do"),
    CommandHelp(name: "previous", form: "previous", summary: "the song before; p will do"),
    CommandHelp(name: "song", form: "song N", summary: "goes to a song of the list, from 1", example: "song 3"),
    CommandHelp(name: "list", form: "list", summary: "what plays now, and what comes next"),
    CommandHelp(
      name: "shuffle", form: "shuffle on|off",
      summary: "each song once, in a random order, or as they are listed", example: "shuffle on"),
    CommandHelp(
      name: "repeat", form: "repeat on|off", summary: "begins again after the last song; loop is for one",
      example: "repeat on"),
  ]

  private var all: [CommandHelp] {
    CommandForm.all.map { CommandHelp(name: $0.name, form: $0.form, summary: $0.summary, example: $0.example) } + own
  }

  /// The names of all commands.
  var names: [String] { all.map(\.name) }

  /// All commands.
  var help: String {
    all.map(\.lines).joined(separator: "\n") + "\n" + wrapped(Self.alone, 0)
      + (isTyped ? "\n" + wrapped(Self.keys + (playsSongs ? Self.songKeys : ""), 0) : "")
  }

  /// One command.
  func help(for name: String) throws(SynthesizerCommandError) -> String {
    guard let command = all.first(where: { $0.name == name }) else {
      throw .unknownName(
        name, kind: "command", command: "help", nearest: EditDistance.nearest(to: name, among: names), known: [])
    }
    guard let example = command.example, example != command.form else { return command.lines }
    return command.lines + "\n" + padded("", 20) + "as in \(example)"
  }

  private static let alone = "A command without its value, as in gain, pan 3 or record, tells how it is at present."

  /// What keys do at once. No command begins with one of them.
  private static let keys =
    "Up and down recall what was typed before, Tab completes. While nothing is typed, v shows and ends the view of the "
    + "whole terminal."
  private static let songKeys =
    " Then space pauses and goes on, left and right go 5 seconds back and on, page up and page down a minute, - and + "
    + "play slower and faster."
}

extension CommandHelp {
  /// In 80 columns; a long form has a line for itself.
  var lines: String { wrapped(form.count < 20 ? padded(form, 20) + summary : "\(form)\n\(summary)", 20) }
}
