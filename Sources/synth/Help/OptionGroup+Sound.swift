extension OptionGroup {
  static let sound = OptionGroup(
    title: "Sound",
    options: [
      OptionHelp(
        .soundFont, "FILE",
        ".sf2 or .sf3, or an audio file or a folder of them as an instrument; again for more, the last is searched first (else what the song's own file brings, above "
          + "$SYNTH_SOUNDFONT, ~/.local/share/synth/soundfonts, the system's fonts or the built-in one)"),
      OptionHelp(
        .engine, "native|fluidsynth",
        "what plays soundfonts: native (if not given), whose notes begin and end on their frame, or fluidsynth, whose "
          + "notes begin on a grid of 64 frames"),
      OptionHelp(
        .quality, "4|8|12|16",
        "how many points the native engine reads waves with (12 if not given); more keep high notes cleaner and cost "
          + "more time; 4 is FluidSynth's sound"),
      OptionHelp(
        .polyphony, "N",
        "how many voices may sound at once, 1 to 4096; playing live 256 if not given, rendering with the native engine "
          + "as many as songs need; voices that are ended or left out for others are told at the end"),
      OptionHelp(
        .cores, "N",
        "threads that share out the work of the native engine, 1 to 64; every number gives the same samples; while "
          + "playing they share its voices (1 if not given); rendering, one of them has the mixer and the effects, the "
          + "others the voices (2 for a song alone, with either engine; 1 for songs side by side)"),
      OptionHelp(
        .preload, "all|used",
        "playing live, load all presets of soundfonts before the first sound, or only those that songs or channels "
          + "use (else used, and the rest follows in the background); rendering loads those that are used"),
      OptionHelp(
        .preset, "NAME|FILE",
        "equalizer preset, or a preset file of your own; or ten gains from 32 Hz to 16 kHz: "
          + "bands:3,2,0,0,0,0,0,0,1,2"),
      OptionHelp(
        .presetProgram, "CH",
        "program n on channel CH chooses preset n of `synth presets` while it plays; nothing on CH sounds"),
      OptionHelp(
        .presetController, "CC[@CH]",
        "the values of controller CC, on all channels or on CH, go through the presets; instruments do not get it"),
      OptionHelp(
        .instrument, "NAME",
        "an oscillator instrument, or a file, on all channels; 3=NAME on channel 3, 1:0-59=NAME on its keys 0 to 59, "
          + "pad+bell both at once; again for more; the others have the soundfont, whose name here is \"sampler\""),
      OptionHelp(
        .reverb, "ROOM|off",
        "small-room, medium-room, large-room, medium-hall, large-hall (if not given) or plate; songs may change it"),
      OptionHelp(
        .chorus, "TYPE|off",
        "chorus-1 to chorus-4 (3 if not given), feedback-chorus or flanger; songs may change it"),
      OptionHelp(
        .delay, "TYPE|off",
        "delay-1 (if not given) to delay-4, pan-delay-1 to pan-delay-4, delay-to-reverb or pan-repeat: the echoes that "
          + "GS and XG songs send to by controller 94; songs may change it"),
      OptionHelp(
        .mute, "CH|track:N|microphone",
        "silences a channel, which is meant as --route leaves it, a track of songs, or the microphone of --in; "
          + "3,track:2 both"),
      OptionHelp(.solo, "CH|track:N", "silences all other channels, or tracks, likewise; again for more"),
      OptionHelp(
        .route, "CH=CH|track:N=CH",
        "plays a channel or a track of songs on another channel, as in 3=5 or track:2=12 (for --instrument 12=pad); "
          + "3=5,track:2=10 both; again for more"),
      OptionHelp(
        .scene, "NAME|FILE",
        "what is inserted where: a compressor on the drums, an equalizer before the fader of a channel; a file, or what "
          + "the command scene save NAME kept"),
      OptionHelp(
        .limiter, "on|off",
        "on (if not given) keeps peaks below -1 dB; off, the sound comes 64 frames sooner, and may clip"),
    ])

  static let songs = OptionGroup(
    title: "Songs",
    options: [
      OptionHelp(.shuffle, "each once, in a random order; another one in each round"),
      OptionHelp(.repeats, "begin again after the last song (--loop is for each)"),
      OptionHelp(.start, "TIME", "where each begins: 83, 1:23, 1:23.5 or 0:01:23"),
      OptionHelp(.end, "TIME", "where each ends"),
      OptionHelp(
        .loop, "FROM-TO", "a passage to repeat, as in 0:10-0:20, until next or quit; in a file until --longest"),
      OptionHelp(.loop, "forever|N", "repeat what the file asks for, else all of it; N times"),
      OptionHelp(.tempo, "PERCENT", "25 to 400, as in 80%"),
      OptionHelp(.transpose, "N", "by N semitones, -24 to 24; drums stay"),
      OptionHelp(
        .metronome, "on|DB|BPM",
        "click on the beats, higher where a bar begins (in files too); -6dB is its level, 96 its tempo for keyboards "
          + "without songs"),
      OptionHelp(.countIn, "BARS", "bars that are counted before each song, 1 to 16"),
      OptionHelp(
        .encoding, "NAME",
        "how the texts of MIDI files are encoded, as in shift-jis, gbk or windows-1250; else it is told by the texts"),
      OptionHelp(
        .mapMT32, "auto|on|off",
        "play the sounds of Roland's MT-32 by those of General MIDI: of songs that address one (auto, if not given), "
          + "of all, or of none"),
      OptionHelp(.lyrics, "show the words of a song as they are sung"),
    ])
}
