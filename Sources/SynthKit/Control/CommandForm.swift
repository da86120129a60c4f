import AudioGraph
import SynthInstruments
import SynthText

/// A command as it is written, read and explained: one row of the table that the parser, help, completion and manuals
/// read.
public struct CommandForm: Sendable {
  /// What the second word may be.
  enum Choices: Sendable {
    case presets, instruments, onOff, off, files, recording, nodes, devices, snapshots, none
    case strips, effects, buses, leading, shares, scenes
    /// Of settings with the same first word.
    case setting([ControlSetting])
  }

  /// The first word.
  public let name: String
  /// How the command is written: "level CHANNEL|all DB".
  public let form: String
  /// A line for manuals.
  public let summary: String
  /// Who may give it at least; alone, where that tells how something is, all may.
  package let by: Asker
  /// One that can be typed: "level 3 -6".
  public let example: String
  let choices: Choices
  /// What is told where the command stands alone; nil where it needs more words, or none.
  let setting: SynthesizerSetting?
  let read: @Sendable (inout CommandWords) throws(SynthesizerCommandError) -> SynthesizerCommand

  init(
    _ form: String, _ summary: String, by: Asker, example: String, choices: Choices = .none,
    tells setting: SynthesizerSetting? = nil,
    read:
      @escaping @Sendable (inout CommandWords) throws(SynthesizerCommandError) -> SynthesizerCommand
  ) {
    name = String(form.prefix { $0 != " " })
    self.form = form
    self.summary = summary
    self.by = by
    self.example = example
    self.choices = choices
    self.setting = setting
    self.read = read
  }

  /// Every command, in the order of the manuals.
  public static let all =
    instruments + ControlSetting.forms(ControlSetting.sound) + inserts + ControlSetting.forms(ControlSetting.inserts)
    + song + ControlSetting.forms(ControlSetting.song) + others

  private static let instruments = [
    CommandForm(
      "preset NAME|next|previous|FILE|bands:…",
      "another equalizer preset; bands: and ten gains set it by hand",
      by: .network, example: "preset pop", choices: .presets, tells: .preset
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
      by: .page, example: "instrument 3=pad", choices: .instruments, tells: .instruments
    ) { words throws(SynthesizerCommandError) in .instrument(try words.instrument()) },
    CommandForm(
      "soundfont FILE", "another soundfont", by: .page, example: "soundfont FILE", choices: .files, tells: .soundFont
    ) { words throws(SynthesizerCommandError) in .soundFont(try words.rest())
    },
    CommandForm(
      "program CHANNEL PROGRAM|BANK:PROGRAM", "what the soundfont plays on a channel; both count from 0",
      by: .network, example: "program 3 48"
    ) { words throws(SynthesizerCommandError) in try words.program() },
  ]

  private static let inserts = [
    CommandForm(
      "insert CHANNEL|microphone|BUS|main EFFECT [N]",
      "puts an effect before the fader of a channel, the microphone or a bus, or before the preset, as its number N",
      by: .page, example: "insert 10 compressor", choices: .effects, tells: .inserts
    ) { words throws(SynthesizerCommandError) in try words.insert() },
    CommandForm(
      "remove CHANNEL|microphone|BUS|main N|all", "takes an insert out", by: .page, example: "remove 10 1",
      choices: .strips
    ) { words throws(SynthesizerCommandError) in try words.removal() },
    CommandForm(
      "move CHANNEL|microphone|BUS|main N N", "an insert to another place in its strip", by: .page,
      example: "move 10 2 1", choices: .strips
    ) { words throws(SynthesizerCommandError) in try words.insertMove() },
    CommandForm(
      "sidechain CHANNEL|microphone|BUS|main N CHANNEL|microphone|BUS|off",
      "lets another part of the mix say to a compressor or a gate how loud it is", by: .page,
      example: "sidechain 3 1 10", choices: .strips
    ) { words throws(SynthesizerCommandError) in try words.sideChain() },
    CommandForm(
      "bus NAME main|BUS|CHANNELS|delete NAME",
      "makes a bus that leads into the main mix, to another bus, or to channels of the output, as in 3-4",
      by: .page, example: "bus drums main", choices: .buses, tells: .buses
    ) { words throws(SynthesizerCommandError) in try words.bus() },
    CommandForm(
      "to CHANNEL|microphone|click|BUS main|BUS", "lets a channel, the microphone or the click lead to a bus",
      by: .page, example: "to 10 drums", choices: .leading
    ) { words throws(SynthesizerCommandError) in try words.lead() },
    CommandForm(
      "share CHANNEL BUS PERCENT", "how much of a channel goes to a bus beside where it leads", by: .page,
      example: "share 10 drums 30", choices: .shares
    ) { words throws(SynthesizerCommandError) in try words.share() },
    CommandForm(
      "scene NAME|save NAME|delete NAME", "buses and inserts as they were when the scene was saved", by: .page,
      example: "scene live", choices: .scenes, tells: .scenes
    ) { words throws(SynthesizerCommandError) in try words.scene() },
  ]

  private static let song = [
    CommandForm(
      "route CHANNEL|track:N CHANNEL|off",
      "plays a channel or a track of songs on another channel; route alone lists what goes where",
      by: .network, example: "route track:2 10"
    ) { words throws(SynthesizerCommandError) in try words.route() },
    CommandForm(
      "set NODE PARAMETER VALUE",
      "any value of a node; set alone lists the nodes, set NODE what it has; names with blanks in quotes",
      by: .network, example: "set reverb time 2.5", choices: .nodes, tells: .nodes
    ) { words throws(SynthesizerCommandError) in
      let node = try words.next()
      if words.isAtEnd { return .tell(.node(node)) }
      let name = try words.next()
      return words.isAtEnd ? .tell(.value(name, of: node)) : .setNode(node, name, try words.rest())
    },
    CommandForm(
      "map CHANNELS", "for each device channel 0 left, 1 right, -1 silence, or mono", by: .page, example: "map 1,0",
      tells: .map
    ) { words throws(SynthesizerCommandError) in .map(try words.channelMap()) },
    CommandForm(
      "out DEVICE", "plays on another device, from one to the other in a fade", by: .page, example: "out hw:1",
      choices: .devices,
      tells: .output
    ) { words throws(SynthesizerCommandError) in .move(try words.rest()) },
    CommandForm("pause", "halts the song; keyboards play on", by: .network, example: "pause") { _ in .pause },
    CommandForm("play", "goes on after pause", by: .network, example: "play") { _ in .play },
    CommandForm(
      "seek TIME|+S|-S", "to a place in the song, or seconds on or back", by: .network, example: "seek 1:23",
      tells: .place
    ) { words throws(SynthesizerCommandError) in try words.place()
    },
  ]

  private static let others = [
    CommandForm(
      "record FILE [from CHANNEL|microphone|BUS]|stop",
      "the sound of all or of a part of the mix, or into .mid what keyboards play", by: .page,
      example: "record take.flac from 3", choices: .recording, tells: .recording
    ) { words throws(SynthesizerCommandError) in try words.recording() },
    CommandForm(
      "save FILE", "what keyboards have played in the last half hour: into .mid the notes, else the sound",
      by: .page, example: "save idea.flac", choices: .files
    ) { words throws(SynthesizerCommandError) in .save(try words.rest()) },
    CommandForm(
      "snapshot NAME|save NAME|delete NAME",
      "recalls how everything was set when it was saved: fonts, programs, strips, effects, preset",
      by: .page, example: "snapshot save lead", choices: .snapshots, tells: .snapshots
    ) { words throws(SynthesizerCommandError) in try words.snapshot() },
    CommandForm(
      "snapshots", "lists them, with the program changes that recall them", by: .network, example: "snapshots"
    ) { _ in
      .snapshot(.list)
    },
    CommandForm(
      "learn NODE PARAMETER|COMMAND [from LOW to HIGH]",
      "the next control that is moved turns it; toggle at the end: each press changes it, through: instruments get it too",
      by: .page, example: "learn level 3", choices: .nodes, tells: .learned
    ) { words throws(SynthesizerCommandError) in .learn(.learn(try words.all())) },
    CommandForm(
      "unlearn NODE PARAMETER|COMMAND|all", "no control turns it any more", by: .page, example: "unlearn level 3",
      choices: .nodes
    ) { words throws(SynthesizerCommandError) in .learn(.unlearn(try words.all())) },
    CommandForm("learned", "lists what controls turn", by: .network, example: "learned") { _ in .learn(.list) },
    CommandForm(
      "metronome on|off|DB|BPM", "clicks on the beats; -6 is a level, 96 a tempo without songs",
      by: .network, example: "metronome on", choices: .onOff, tells: .metronome
    ) { words throws(SynthesizerCommandError) in .metronome(try words.metronome()) },
    CommandForm(
      "loop FROM TO|off", "repeats a passage", by: .network, example: "loop 0:10 0:20", choices: .off, tells: .loop
    ) {
      words throws(SynthesizerCommandError) in .loop(try words.loop())
    },
  ]
}
