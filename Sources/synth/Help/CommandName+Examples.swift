extension CommandName {
  /// Lines to begin with, and what they do.
  var examples: [(line: String, purpose: String)] {
    switch self {
    case .play:
      [
        ("synth", "every MIDI keyboard, now and whenever one is plugged in"),
        ("synth --preset pop --out hw:1", "through an equalizer preset, on the second sound card"),
        ("synth song.mid --connect Keystation", "a song, and a keyboard that plays along"),
        ("synth songs/ list.m3u --shuffle --repeat", "songs of folders and playlists, each once a round"),
        ("synth song.mid --start 0:30 --tempo 80% --transpose -2", "from a place on, slower and lower"),
        ("synth --record take.flac --metronome 96", "records what is played, with clicks"),
      ]
    case .render:
      [
        ("synth render song.mid -o song.flac", "a file, as fast as the machine can"),
        ("synth render songs/ -o out/ --format opus --jobs 4", "all below a folder"),
        ("synth render song.mid -o song/ --stems channel", "a file for each channel"),
        ("synth render song.mid -o song.mp3 --loudness -14 --tag artist=Me", "as loud as others, and tagged"),
      ]
    case .record: [("synth record -o take.flac --in hw:1 --map 0,2 --seconds 90", "two channels of an input")]
    case .through:
      [("synth through --in hw:1 --out hw:0 --preset vocal-booster --latency low", "a microphone, brightened")]
    case .send: [("synth send song.mid --to 24:0 --clock", "on a hardware synthesizer, whose arpeggiator follows")]
    case .info:
      [
        ("synth info song.mid", "tempo, keys, programs, loops, lyrics"),
        ("synth info songs/ --json", "of all songs of a folder, for a program"),
      ]
    case .font: [("synth font FluidR3_GM.sf2", "its presets, and what it asks for")]
    case .presets:
      [
        ("synth presets show pop", "the curve, drawn"),
        ("synth presets --json", "all of them with their gains, for a program"),
      ]
    case .instruments: [("synth instruments --json", "the list, for a program")]
    case .devices:
      [
        ("synth devices --out hw:0 --out hw:1", "which channel of which card has which number"),
        ("synth devices --watch", "tells of keyboards and cards that come and go"),
      ]
    case .ctl:
      [
        ("synth ctl preset pop", "as if it were typed where synth plays"),
        ("synth ctl status --json", "everything there is to know, for a program"),
      ]
    case .doctor:
      [
        ("synth doctor", "all checks, with the default output"),
        ("synth doctor --out hw:1 --json", "with another, for a program"),
      ]
    case .graph: [("synth graph --preset pop --dot", "a graph for Graphviz")]
    case .tone: [("synth tone --wave saw --frequency 220 --level -20", "a quiet sawtooth")]
    case .config: [("synth config --out hw:1", "what applies to the second sound card")]
    }
  }
}
