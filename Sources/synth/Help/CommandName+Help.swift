import SynthKit

extension CommandName {
  /// How it is written, and what it does then.
  var forms: [(form: String, purpose: String)] {
    switch self {
    case .play:
      [
        ("synth", "play what comes from MIDI keyboards"),
        (
          "synth SONG.mid …",
          "play MIDI files and audio files, all songs of folders, and those of playlists (.m3u, .m3u8)"
        ),
      ]
    case .render:
      [("synth render SONG.mid … -o OUT", "render songs to a file, or into a directory")]
    case .record:
      [("synth record -o FILE", "record a sound card's input, as from a microphone")]
    case .through:
      [("synth through", "hear an input through the equalizer, on an output")]
    case .send:
      [("synth send SONG.mid … --to PORT", "play MIDI files on a hardware synthesizer or another program")]
    case .info:
      [("synth info FILE …", "what is in MIDI files and audio files")]
    case .font:
      [("synth font FILE", "what is in a soundfont, and what of it is broken")]
    case .presets:
      [("synth presets", "list the equalizer presets"), ("synth presets show NAME", "draw one")]
    case .instruments: [("synth instruments", "list the instruments")]
    case .devices: [("synth devices", "list outputs, inputs and MIDI ports")]
    case .ctl:
      [
        ("synth ctl COMMAND", "give the synth that plays a command, as one would type it there"),
        ("synth ctl get [NODE [NAME]]", "what a node is set to; alone, the nodes"),
        ("synth ctl watch", "tell what changes, until Ctrl-C"),
      ]
    case .doctor: [("synth doctor", "find out why there is no sound, and what helps")]
    case .graph: [("synth graph", "draw the nodes that a sound passes")]
    case .tone: [("synth tone", "play a test tone, which commands change")]
    case .config: [("synth config", "tell the configuration, and where each value comes from")]
    }
  }

  /// The groups that may explain its options.
  var groups: [OptionGroup] {
    switch self {
    case .play:
      [.sound, .songs, .outputs, .keyboards, .microphone, .recording, .control, .snapshots, .configuration]
    case .render: [.files, .parts, .batches, .sound, .songs]
    case .record: [.inputs, .recordedFile]
    case .through: [.inputs, .through, .configuration]
    case .send: [.send]
    case .info: [.info]
    case .font: [.font]
    case .presets, .instruments: [.json]
    case .devices: [.outputs, .deviceInput, .programs, .configuration]
    case .ctl: [.control, .programs]
    case .doctor: [.doctor, .configuration]
    case .graph: [.sound, .outputs, .programs, .configuration]
    case .tone: [.tone, .outputs, .configuration]
    case .config: CommandName.play.groups + [.json]
    }
  }

  /// What a person should know besides.
  var notes: [String] {
    switch self {
    case .play:
      [
        Self.typedCommands, "While songs play, desktops show them and media keys steer them (MPRIS 2).", Self.ending,
        Self.status,
      ]
    case .render: [Self.folders, Self.ending, Self.status]
    case .record:
      [
        wrapped(
          "As in: synth record -o take.flac --in hw:1 --map 0,2 --seconds 90. The line shows for each channel its level, "
            + "the peak of the last two seconds, and ! once it has clipped. q or Ctrl-C ends it; of one that "
            + "was killed, all but the last second can be played. Nothing is resampled: the file has the rate of the "
            + "hardware.", 0), Self.status,
      ]
    case .through:
      [
        wrapped(
          "As in: synth through --in hw:1 --out hw:0 --preset vocal-booster --latency low. While it plays, type preset "
            + "pop, gain -6, record take.flac or record stop; q or Ctrl-C ends it. On one card input and output keep "
            + "one time; of two cards, the input is resampled to the output's clock.", 0), Self.status,
      ]
    case .send:
      [
        wrapped(
          "As in: synth send song.mid --to 24:0 --clock. The kernel sends each message at its time. A System Exclusive "
            + "message of more than 1024 bytes goes in pieces, at the speed of a MIDI cable. Ctrl-C ends it, with all "
            + "notes off. Folders stand for all songs below them, playlists for theirs, and - for a list on standard "
            + "input.", 0), Self.status,
      ]
    case .info:
      [
        wrapped(
          "Of MIDI files: tempo, keys, channels, loops, lyrics, missing presets, what was repaired. Of audio files: "
            + "format, length, loudness, true peak. Folders stand for all songs below them, playlists for theirs, and "
            + "- for a list on standard input.", 0)
      ]
    case .font:
      [
        wrapped(
          "Of .sf2 and .sf3 files, and of songs with a bank in them (.rmi): name, version, size, presets with the zones "
            + "that sound, samples, and what is damaged and left out, with its place in the file.", 0)
      ]
    case .presets: [wrapped("A number of the list is what --preset-program takes; a name will do for --preset.", 0)]
    case .instruments: [wrapped("A name is for --instrument; several with + between sound at once.", 0)]
    case .devices:
      [wrapped("It tells who uses them, and numbers the channels of each --out and of --in, else of default.", 0)]
    case .doctor:
      [
        wrapped(
          "It looks at cards, permissions, other programs, scheduling, keyboards and soundfonts, plays two seconds of "
            + "silence to find out the rate, the period and the latency that the device can do, and prints a command "
            + "below each thing that can be better. Exit status 1 where something does not work.", 0)
      ]
    case .ctl:
      [
        wrapped(
          "As in: synth ctl preset pop, synth ctl level 3 -6, synth ctl next, synth ctl record take.flac, synth ctl get "
            + "reverb time, synth ctl set reverb time 2.5, synth ctl status --json. synth ctl help lists all commands. "
            + "What programs say at the socket is described in docs/control.md.", 0),
        wrapped("Exit status: 0 done, 1 refused, or no synth plays; why is told in a line.", 0),
      ]
    case .graph: []
    case .tone:
      [
        wrapped(
          "While it sounds, commands are typed, or come from a pipe, a line each: wave saw, frequency 220, level -6, "
            + "stop, start, set \"signal generator\" \"ramp duration\" 2, quit. A command without its value tells how "
            + "it is. Tab completes them, help lists them.", 0)
      ]
    case .config:
      [
        wrapped(
          "Each option of synth play but --record and --config is a key of the files, without its dashes, as in "
            + "{\"latency\": \"low\", \"profiles\": {\"PCH\": {\"preset\": \"flat\"}}}: a profile is for one output. "
            + "With options, synth config tells what would be played with them. synth render takes nothing from files.",
          0)
      ]
    }
  }

  /// One example of each command that has none like it before.
  private static let typedCommands = wrapped(
    "While it plays, commands are typed, or come from a pipe, a line each: "
      + CommandForm.all.filter { !$0.name.hasPrefix("un") }.map(\.example).joined(separator: ", ")
      + ", next, previous, list, shuffle on, repeat on, presets, instruments, status, quit. Tab completes them, help "
      + "lists them, up and down recall earlier ones. While nothing is typed, v shows the view, space pauses a song, "
      + "left and right go 5 seconds back and on, page up and page down a minute, - and + change its tempo; n, p and q "
      + "with Enter will do for next, previous and quit.", 0)

  private static let folders = wrapped(
    "A folder stands for all .mid .midi .kar .rmi .smf .xmi .mus files below it, and its tree is kept; - is a list on "
      + "standard input, a path a line or a NUL after each. The songs of a list, and of one folder among several, keep "
      + "their paths below OUT.", 0)

  private static let ending = wrapped(
    "A song ends when its tail has been below -90 dB for 0.1 s, after 30 s at most; the next one begins at once.", 0)

  private static let status = wrapped(
    "Exit status: 0 success, 1 failure, 2 wrong usage; ended by Ctrl-C 130, SIGTERM 143 (as a systemd service 0), "
      + "SIGHUP 129; a second one ends it at once.", 0)
}
