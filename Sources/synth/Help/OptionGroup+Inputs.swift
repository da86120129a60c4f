extension OptionGroup {
  static let inputs = OptionGroup(
    title: "Input",
    options: [
      OptionHelp(.input, "DEVICE", "any ALSA input: default (if not given), hw:1, hw:CARD=X,DEV=0 …"),
      OptionHelp(
        .map, "0,2", "for each wanted channel the device's, from 0, or -1 for silence; else all, or the first"),
      OptionHelp(
        .inputAssign, "DEVICE#3", "the same by the device's channel from 1; again for each wanted channel, in order"),
      OptionHelp(.channels, "N", "how many channels are wanted; else as many as the map or the device has"),
      OptionHelp(.rate, "HZ", "what the hardware must have, 8000 to 768000; else its own, 48000 if it can"),
      OptionHelp(.latency, "MS", "milliseconds of a few periods; low is 4, safe 64, else it is 16"),
      OptionHelp(.period, "N", "frames per period; else what suits the latency"),
    ])

  static let microphone = OptionGroup(
    title: "Microphone",
    options: [
      OptionHelp(.input, "DEVICE", "a microphone heard with songs and keyboards, before the equalizer: hw:1 …"),
      OptionHelp(
        .inputGain, "DB",
        "its level, -120 to 24; 0 if not given, and -12 where it may hear the speakers of its own card; while it plays "
          + "type: level microphone -6, mute microphone"),
      OptionHelp(
        .inputUnplug, "mute|keep",
        "a microphone whose card went away is muted (if not given) when that is back, until unmute microphone is typed; "
          + "keep lets it be heard at once"),
    ])

  static let deviceInput = OptionGroup(title: "Input", options: inputs.options.filter { $0.option == .input })

  static let through = OptionGroup(
    title: "Output",
    options: [
      OptionHelp(.device, "DEVICE", "any ALSA output: default (if not given), hw:1, hw:CARD=X,DEV=0 …"),
      OptionHelp(.fallback, "DEVICE", "the output while that one is away; again for more"),
      OptionHelp(
        .preset, "NAME|FILE",
        "equalizer preset, or a preset file of your own; or ten gains: bands:3,2,0,0,0,0,0,0,1,2"),
      OptionHelp(
        .gain, "DB", "the level, -120 to 24; 0 if not given, and -12 where a card's microphone may hear its speakers"),
      OptionHelp(
        .limiter, "on|off", "on (if not given) keeps peaks below -1 dB; off, the sound comes 64 frames sooner"),
      OptionHelp(.record, "FILE", "what is heard, into .wav, .flac or any other; again for more"),
    ])

  static let recordedFile = OptionGroup(
    title: "File",
    options: [
      OptionHelp(
        .output, "FILE",
        ".wav, .flac, .ogg (Vorbis), .opus, .mp3, .aiff, .caf or .raw; take-DATE-TIME.wav if not given; no file is "
          + "overwritten"),
      OptionHelp(.bits, "16|24|float", "sample format, 24 if not given (FLAC: 16 or 24)"),
      OptionHelp(.seconds, "TIME", "ends it after 90, 1:30 or 0.5, to the frame"),
    ])
}
