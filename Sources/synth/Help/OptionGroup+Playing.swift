extension OptionGroup {
  static let outputs = OptionGroup(
    title: "Outputs",
    options: [
      OptionHelp(
        .device, "DEVICE",
        "any ALSA output: default, hw:1, hw:CARD=X,DEV=0, null … again for more: they are one, their channels follow "
          + "each other, and all keep to the clock of the first; jack, or jack:NAME for a client of that name, is the "
          + "JACK server"),
      OptionHelp(.fallback, "DEVICE", "the output while the first is away; again for more"),
      OptionHelp(.channels, "N", "ask each device for N channels; or N,M … one for each"),
      OptionHelp(.rate, "HZ", "ask the device for a rate, 8000 to 768000; else its own"),
      OptionHelp(.latency, "MS", "milliseconds of buffer; low is 4, safe 64, else it is 16"),
      OptionHelp(
        .onUnplug, "pause|keep",
        "a song pauses (if not given) when headphones are pulled or its device leaves, and goes on by itself when that "
          + "is back within a minute; keep plays on, heard or not; keyboards always do"),
      OptionHelp(.period, "N", "frames per period; else what suits the latency"),
      OptionHelp(.wait, "wait for devices that are not there, or not free yet, in place of an error: for services"),
      OptionHelp(
        .releaseAfter, "SECONDS",
        "give the card to other programs when keyboards have been silent for so long, 10 to 86400, and take it again "
          + "when one is played; not with songs or --in"),
      OptionHelp(
        .map, "0,1,-1,-1", "for each device channel 0 left, 1 right, -1 silence, or mono, the mean of both"),
      OptionHelp(
        .assign, "DEVICE#1=left",
        "right or mono: what a device's channel plays, from 1 on; again for more, in place of --map; the rest is "
          + "silent"),
    ])

  static let recording = OptionGroup(
    title: "Recording",
    options: [
      OptionHelp(
        .record, "FILE",
        "the sound into .wav, .flac, .ogg, .opus, .mp3, .aiff, .caf or .raw, or what keyboards play into .mid, from the "
          + "start on; again for more; no file is overwritten")
    ])

  static let keyboards = OptionGroup(
    title: "Keyboards",
    options: [
      OptionHelp(
        .connect, "NAME|24:0",
        "join only these ports, by a part of their name or their number; again for more (else all but Midi Through); "
          + "with songs, they are played along"),
      OptionHelp(.noConnect, "join none; connect them yourself: aconnect 24:0 synth"),
      OptionHelp(.timing, "immediate", "play each note at once, not all after the same delay"),
    ])

  static let control = OptionGroup(
    title: "Control",
    options: [
      OptionHelp(
        .view,
        "show meters of all channels and what plays in the whole terminal, from 60 columns and 18 rows on; v does it "
          + "too, and ends it"),
      OptionHelp(
        .socket, "PATH|off",
        "where programs and synth ctl find the synth that plays; else $XDG_RUNTIME_DIR/synth.sock, for this user alone"),
      OptionHelp(
        .osc, "PORT|ADDRESS:PORT",
        "take OSC over UDP, from this user's programs on this machine, or at an address of it from all who can send there; "
          + "beside it a local socket, synth.osc"),
      OptionHelp(
        .web, "[ADDRESS:PORT]",
        "a page for browsers that shows and changes all, with a token: on this machine alone, at 127.0.0.1:8383, or for "
          + "others too, as at 0.0.0.0:8383; off for none"),
      OptionHelp(.open, "serve the page, and show it in the desktop's browser"),
      OptionHelp(
        .webTokenFile, "FILE",
        "the token of the page and of OSC, 12 to 64 letters and digits, in a file of mode 600; else \(RemoteToken.variable), "
          + "else one that is made and kept"),
    ])

  static let snapshots = OptionGroup(
    title: "Snapshots",
    options: [
      OptionHelp(
        .snapshot, "NAME", "recalls at the start what the command snapshot save NAME kept, above other options"),
      OptionHelp(
        .snapshotChannel, "CH|off",
        "on whose program changes snapshots are recalled, 16 if not given; numbers without a snapshot go to the "
          + "instruments"),
    ])
}
