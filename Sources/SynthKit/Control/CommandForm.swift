import AudioGraph
import DSP

/// A command as it is written, read and explained: one row of the table that the parser, help, completion and manuals
/// read.
public struct CommandForm: Sendable {
  /// What the second word may be.
  enum Choices: Sendable {
    case presets, instruments, reverbs, choruses, off, none
  }

  /// The first word.
  public let name: String
  /// How the command is written: "level CHANNEL|all DB".
  public let form: String
  /// A line for manuals.
  public let summary: String
  /// One that can be typed: "level 3 -6".
  public let example: String
  let choices: Choices
  let read: @Sendable (inout CommandWords) throws(SynthesizerCommandError) -> SynthesizerCommand

  private init(
    _ form: String, _ summary: String, example: String, choices: Choices = .none,
    read:
      @escaping @Sendable (inout CommandWords) throws(SynthesizerCommandError) -> SynthesizerCommand
  ) {
    name = String(form.prefix { $0 != " " })
    self.form = form
    self.summary = summary
    self.example = example
    self.choices = choices
    self.read = read
  }

  /// Every command, in the order of the manuals.
  public static let all = [
    CommandForm(
      "preset NAME|next|previous|FILE|bands:…",
      "another equalizer preset; bands: and ten gains set it by hand",
      example: "preset pop", choices: .presets
    ) { words throws(SynthesizerCommandError) in
      switch try words.rest() {
      case "next": .nextPreset
      case "previous": .previousPreset
      case let reference: .preset(reference)
      }
    },
    CommandForm(
      "instrument NAME|CHANNEL=NAME|CHANNEL:KEYS=NAME",
      "what plays where; pad+bell are both, sampler is the soundfont",
      example: "instrument 3=pad", choices: .instruments
    ) { words throws(SynthesizerCommandError) in .instrument(try words.instrument()) },
    CommandForm("soundfont FILE", "another soundfont", example: "soundfont FILE") {
      words throws(SynthesizerCommandError) in .soundFont(try words.rest())
    },
    CommandForm(
      "reverb ROOM|off", names(ReverbType.allCases, \.name), example: "reverb plate",
      choices: .reverbs
    ) { words throws(SynthesizerCommandError) in
      .reverb(try words.choice("room", among: ReverbType.allCases, \.name))
    },
    CommandForm(
      "chorus TYPE|off", names(ChorusType.allCases, \.name), example: "chorus off",
      choices: .choruses
    ) { words throws(SynthesizerCommandError) in
      .chorus(try words.choice("chorus", among: ChorusType.allCases, \.name))
    },
    CommandForm("gain DB", "the level of everything", example: "gain -3") {
      words throws(SynthesizerCommandError) in .gain(try words.level())
    },
    CommandForm("level CHANNEL|all DB", "the level of a channel, 1 to 16", example: "level 3 -6") {
      words throws(SynthesizerCommandError) in
      .level(channel: try words.channel(), try words.level())
    },
    CommandForm("mute CHANNEL|all", "silences a channel", example: "mute 10") {
      words throws(SynthesizerCommandError) in .mute(channel: try words.channel(), true)
    },
    CommandForm("unmute CHANNEL|all", "lets it sound again", example: "unmute 10") {
      words throws(SynthesizerCommandError) in .mute(channel: try words.channel(), false)
    },
    CommandForm("solo CHANNEL|all", "silences all channels that are not soloed", example: "solo 3") {
      words throws(SynthesizerCommandError) in .solo(channel: try words.channel(), true)
    },
    CommandForm("unsolo CHANNEL|all", "takes a channel out of the solo", example: "unsolo 3") {
      words throws(SynthesizerCommandError) in .solo(channel: try words.channel(), false)
    },
  ]

  private static func names<Choice>(_ choices: [Choice], _ nameOf: (Choice) -> String) -> String {
    choices.map(nameOf).joined(separator: ", ")
  }
}
