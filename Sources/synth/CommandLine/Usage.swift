import SynthKit

/// One example of each command that has none like it before.
private let commands = wrapped(
  "While it plays, commands are typed, or come from a pipe, a line each: "
    + CommandForm.all.filter { !$0.name.hasPrefix("un") }.map(\.example).joined(separator: ", ")
    + ", next, previous, list, shuffle on, repeat on, quit. Tab completes them, help lists them. While nothing is typed, space pauses a song, the "
    + "arrow keys go 5 seconds or a minute back and on, - and + change its tempo; n, p and q with Enter will do for "
    + "next, previous and quit.", 0)

/// What `synth --help` prints.
let usage = """
  synth — a MIDI software synthesizer

  synth                             play what comes from MIDI keyboards
  synth SONG.mid …                  play MIDI files, all songs of folders, and
                                    those of playlists (.m3u, .m3u8)
  synth render SONG.mid … -o OUT    render them to a file, or into a directory;
                                    all songs of folders, playlists, a list (-)
  synth info SONG.mid …             what is in them: tempo, keys, channels, loops,
                                    lyrics (--lyrics shows all), what was repaired
                                    (folders and lists as well)
  synth info SONG.wav …             or in audio files: format, length, loudness,
                                    true peak
  synth info SONG.mid … --json      the same for programs, with every track
  synth presets                     list the equalizer presets, with their numbers
  synth presets show NAME           draw one
  synth instruments                 list the instruments
  synth graph                       the nodes a sound passes, and their settings
  synth graph --json                the same for programs; --dot is for Graphviz
  synth devices                     outputs, inputs, MIDI ports, and their users;
                                    the channels of each --out, else of default
  synth devices --json              the same for programs
  synth devices --watch             tell what comes and goes, until Ctrl-C

  Sound
    --soundfont FILE     .sf2 or .sf3; again for more, the last is searched first
                         (else $SYNTH_SOUNDFONT, ~/.local/share/synth/soundfonts,
                         the system's fonts, the built-in one)
    --preload all|used   before the first sound load all presets of soundfonts, or
                         only those songs or channels use (else used; playing
                         live, the rest follows in the background)
    --preset NAME|FILE   equalizer preset, or a preset file of your own; or ten
                         gains from 32 Hz to 16 kHz: bands:3,2,0,0,0,0,0,0,1,2
    --preset-program CH  program n on channel CH chooses preset n of `synth
                         presets` while it plays; nothing on CH sounds
    --preset-controller CC[@CH]   the values of controller CC, on all channels or
                         on CH, go through the presets; instruments do not get it
    --instrument NAME    an oscillator instrument, or a file, on all channels;
                         3=NAME on channel 3, 1:0-59=NAME on its keys 0 to 59,
                         pad+bell both at once; again for more; the others have
                         the soundfont, whose name here is "sampler"
    --reverb ROOM|off    small-room, medium-room, large-room, medium-hall,
                         large-hall (if not given) or plate; songs may change it
    --chorus TYPE|off    chorus-1 to chorus-4 (3 if not given), feedback-chorus
                         or flanger; songs may change it
    --mute CH|track:N    silences a channel or a track of songs; 3,track:2 both
    --solo CH|track:N    silences all other channels, or tracks; again for more
    --limiter on|off     on (if not given) keeps peaks below -1 dB; off, the
                         sound comes 64 frames sooner, and may clip

  Songs
    --shuffle            each once, in a random order; another one in each round
    --repeat             begin again after the last song (--loop is for each)
    --start TIME         where each begins: 83, 1:23, 1:23.5 or 0:01:23
    --end TIME           where each ends
    --loop FROM-TO       a passage to repeat, as in 0:10-0:20, until next or quit
    --loop forever|N     repeat what the file asks for, else all of it; N times
    --tempo PERCENT      25 to 400, as in 80%
    --transpose N        by N semitones, -24 to 24; drums stay

  Playing
    --out DEVICE         any ALSA output: default, hw:1, hw:CARD=X,DEV=0, null …
                         again for more: they are one, their channels follow each
                         other, and all keep to the clock of the first
    --fallback DEVICE    the output while the first is away; again for more
    --channels N         ask each device for N channels; or N,M … one for each
    --rate HZ            ask the device for a rate, 8000 to 768000; else its own
    --latency MS         milliseconds of buffer; low is 4, safe 64, else it is 16
    --period N           frames per period; else what suits the latency
    --map 0,1,-1,-1      for each device channel 0 left, 1 right, -1 silence, or
                         mono, the mean of both
    --assign DEVICE#1=left   right or mono: what a device's channel plays, from
                         1 on; again for more, in place of --map; the rest is
                         silent
    --lyrics             show the words of a song as they are sung

  \(commands)

  Keyboards
    --connect NAME|24:0  join only these ports, by a part of their name or
                         their number; again for more (else all but Midi Through);
                         with songs, they are played along
    --no-connect         join none; connect them yourself: aconnect 24:0 synth
    --timing immediate   play each note at once, not all after the same delay

  Rendering
    -o, --output FILE    .wav, .flac, .ogg (Vorbis), .opus, .mp3 or .raw; or a
                         directory, with / at its end; or -, which writes WAV to
                         standard output
    --format wav|flac|ogg|opus|mp3|raw   of the files in a directory; wav if not
                         given
    --bits 16|24|float   sample format, 24 if not given (FLAC: 16 or 24)
    --dither on|off      on (if not given) rounds to 16 or 24 bits with triangular
                         dither, the same every time; silence stays silent
    --rate HZ            8000 to 768000, 48000 if not given; .ogg up to 200000,
                         .opus and .mp3 have a few up to 48000
    --start --end --tempo --transpose   as for playing; files begin with the part
    --loop N             what each asks for N times; forever and FROM-TO need
                         --longest
    --silence SECONDS    silence in front of each song
    --tail SECONDS       how long after its last event each song ends, whatever
                         sounds; else when it is silent
    --tag KEY=VALUE      what files say: title (else the song's), artist, album,
                         date, genre, track, copyright, comment, software; again
                         for more; without VALUE it is left out
    --raw                bare samples instead of WAV
    --stems channel|track|drums   no mix, but a directory for each song: a dry
                         stereo file for each channel or track, or one of the
                         drums and one of the rest, and what reverb and chorus
                         return; they add up to the mix before the equalizer
    --dry                without reverb and chorus
    --notes              beside each file, or among its stems, a file of its
                         notes, a line of JSON each: key, preset, ticks, seconds,
                         first and last sample (song.notes.jsonl, notes.jsonl)
    --jobs N             songs at a time; all processors have one if not given;
                         every number gives the same bytes
    --loudness LUFS      bring each song to a loudness (EBU R 128), as -23 or -14;
                         one whose true peak would exceed -1 dBTP stays quieter
    --longest TIME       where longer songs end: 90s, 20m or 6h (if not given)
    --manifest FILE      append a line of JSON to FILE, or to standard output (-),
                         for each song: digests of its files, settings, loudness,
                         peak, duration, warnings
    --resume             leave out what the manifest has, if it is as it was
    --shard K/N          only part K of N of the songs, for N machines
    A folder stands for all .mid .midi .kar .rmi .smf files below it, and its tree
    is kept; - is a list on standard input, a path a line or a NUL after each. The
    songs of a list, and of one folder among several, keep their paths below OUT.

  While songs play, desktops show them and media keys steer them (MPRIS 2).

  A song ends when its tail has been below -90 dB for 0.1 s, after 30 s at most;
  the next one begins at once.
  Exit status: 0 success, 1 failure, 2 wrong usage; ended by Ctrl-C 130, SIGTERM
  143 (as a systemd service 0), SIGHUP 129; a second one ends it at once.
  """
