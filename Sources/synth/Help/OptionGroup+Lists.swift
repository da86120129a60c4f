extension OptionGroup {
  static let send = OptionGroup(
    title: "Options",
    options: [
      OptionHelp(
        .to, "NAME|24:0", "the port that plays, by a part of its name or its number, as aconnect -o lists them"),
      OptionHelp(.clock, "send MIDI clock, start and stop too: 24 a quarter note, by the song's tempos"),
      OptionHelp(.tempo, "PERCENT", "how fast, 25 to 400 percent of the song's tempo, as in 80%"),
    ])

  static let info = OptionGroup(
    title: "Options",
    options: [
      OptionHelp(.json, "JSON in place of text, with every track"),
      OptionHelp(.lyrics, "all words of songs, not the first lines alone"),
      OptionHelp(
        .encoding, "NAME",
        "how the texts of MIDI files are encoded, as in shift-jis, gbk or windows-1250; else it is told by the texts"),
      OptionHelp(
        .mapMT32, "auto|on|off",
        "play the sounds of Roland's MT-32 by those of General MIDI: of songs that address one (auto, if not given), "
          + "of all, or of none"),
      OptionHelp(.route, "CH=CH|track:N=CH", "tell what plays where with a channel or a track on another channel"),
      OptionHelp(.soundFont, "FILE", "the soundfont whose presets the songs are to find; again for more"),
    ])

  static let font = OptionGroup(
    title: "Options",
    options: [OptionHelp(.json, "JSON in place of text, with every sample")])

  static let tone = OptionGroup(
    title: "Tone",
    options: [
      OptionHelp(.wave, "NAME", "sine (if not given), sawtooth, square, triangle or noise; saw will do"),
      OptionHelp(.frequency, "HZ", "0 to 192000, 440 if not given; what is beyond half the rate is played at half"),
      OptionHelp(.level, "DB", "-120 to 24, -12 if not given"),
    ])

  static let doctor = OptionGroup(
    title: "Options",
    options: [
      OptionHelp(.device, "DEVICE", "the output to try: any ALSA output, default if not given"),
      OptionHelp(.json, "JSON in place of text"),
    ])

  static let programs = OptionGroup(
    title: "Form",
    options: [
      OptionHelp(.json, "JSON in place of text"),
      OptionHelp(.dot, "a graph for Graphviz"),
      OptionHelp(.watch, "tell what comes and goes, until Ctrl-C"),
    ])

  static let json = OptionGroup(title: "Form", options: programs.options.filter { $0.option == .json })

  static let configuration = OptionGroup(
    title: "Configuration",
    options: [
      OptionHelp(
        .config, "FILE|none",
        "values for options that are not given, in place of ~/.config/synth/config.json and /etc/synth/config.json; "
          + "synth config tells them")
    ])
}
