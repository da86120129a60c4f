extension OptionGroup {
  static let files = OptionGroup(
    title: "Files",
    options: [
      OptionHelp(
        .output, "FILE",
        ".wav, .flac, .ogg (Vorbis), .opus, .mp3, .aiff, .caf or .raw; or a directory, with / at its end; or -, which "
          + "writes WAV, or what --format says, to standard output"),
      OptionHelp(.format, "wav|flac|ogg|opus|mp3|aiff|caf|raw", "of the files in a directory; wav if not given"),
      OptionHelp(.bits, "16|24|float", "sample format, 24 if not given (FLAC: 16 or 24)"),
      OptionHelp(
        .dither, "on|off",
        "on (if not given) rounds to 16 or 24 bits with triangular dither, the same every time; silence stays silent"),
      OptionHelp(
        .rate, "HZ",
        "8000 to 768000, 48000 if not given; .ogg up to 200000, .opus and .mp3 have a few up to 48000"),
      OptionHelp(.channels, "N", "1 to 64, 2 if not given"),
      OptionHelp(.map, "0,1,-1,-1", "for each channel 0 left, 1 right, -1 silence, or mono, the mean of both"),
      OptionHelp(.raw, "bare samples instead of WAV"),
      OptionHelp(
        .loudness, "LUFS",
        "bring each song to a loudness (EBU R 128), as -23 or -14; one whose true peak would exceed -1 dBTP stays "
          + "quieter"),
      OptionHelp(.silence, "SECONDS", "silence in front of each song"),
      OptionHelp(
        .tail, "SECONDS", "how long after its last event each song ends, whatever sounds; else when it is silent"),
      OptionHelp(.longest, "TIME", "where longer songs end: 90 (seconds), 90s, 20m or 6h (if not given)"),
      OptionHelp(
        .tag, "KEY=VALUE",
        "what files say: title (else the song's), artist, album, date, genre, track, copyright, comment, software; "
          + "again for more; without VALUE it is left out; .aiff has no album, date, genre and track, .raw none"),
    ])

  static let parts = OptionGroup(
    title: "Parts",
    options: [
      OptionHelp(
        .stems, "channel|track|drums",
        "no mix, but a directory for each song: a dry stereo file for each channel or track, or one of the drums and "
          + "one of the rest, and what reverb, chorus and delay return; they add up to the mix before the equalizer"),
      OptionHelp(.dry, "without reverb, chorus and delay"),
      OptionHelp(
        .notes,
        "beside each file, or among its stems, a file of its notes, a line of JSON each: key, preset, ticks, seconds, "
          + "first and last sample (song.notes.jsonl, notes.jsonl)"),
    ])

  static let batches = OptionGroup(
    title: "Many songs",
    options: [
      OptionHelp(
        .jobs, "N",
        "songs at a time; all processors have one if not given; every number gives the same bytes"),
      OptionHelp(
        .manifest, "FILE",
        "append a line of JSON to FILE, or to standard output (-), for each song: digests of its files, settings, "
          + "loudness, peak, duration, warnings"),
      OptionHelp(.resume, "leave out what the manifest has, if it is as it was"),
      OptionHelp(.shard, "K/N", "only part K of N of the songs, for N machines"),
    ])
}
