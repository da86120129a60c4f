# shellcheck shell=bash
# What the tests of the output device share. They begin with: source "${0%/*}/../playing.bash"
source "${BASH_SOURCE[0]%/*}/helpers.bash"

program= # the process that `start_playing` has started
font=$guest/../../soundfonts/synth-gm.sf2

# Prints a number's bytes, seven bits each, as MIDI files write them, for printf's %b.
variable_length() {
  local value=$1 bytes=
  bytes=$(printf '\\0%03o' $((value & 127)))
  while ((value >>= 7)); do bytes=$(printf '\\0%03o' $((value & 127 | 128)))$bytes; done
  echo "$bytes"
}

# Makes a song of that many organ notes that begin together and sound on: make_chord FILE NOTES MILLISECONDS.
make_chord() {
  local channel note row track=''
  for channel in {0..7}; do track+=$(printf '\\0000\\0%03o\\0023' $((0xC0 + channel))); done
  for ((note = 0; note < $2; note++)); do
    row=$((note / 8))
    track+=$(printf '\\0000\\0%03o\\0%03o\\0100' $((0x90 + note % 8)) $((48 + row * 3)))
  done
  # 480 ticks a quarter note at 120 quarter notes a minute.
  track+=$(variable_length $(($3 * 960 / 1000)))
  for ((note = 0; note < $2; note++)); do
    ((note == 0)) || track+='\0000'
    row=$((note / 8))
    track+=$(printf '\\0%03o\\0%03o\\0100' $((0x80 + note % 8)) $((48 + row * 3)))
  done
  track+='\0000\0377\0057\0000'
  local size
  size=$(printf '%b' "$track" | wc -c)
  {
    printf '%b' 'MThd\0\0\0\6\0\0\0\1\1\0340MTrk'
    printf '%b' "$(printf '\\0%03o\\0%03o\\0%03o\\0%03o' 0 $((size >> 16)) $((size >> 8 & 255)) $((size & 255)))"
    printf '%b' "$track"
  } >"$1"
}

synth() { "$SYNTH" --soundfont "$font" "$@"; }
render() { "$SYNTH" render --dither off --soundfont "$font" "$@"; }

# Demands that the program ends with a status and one line: expect_end STATUS LINE ARGUMENT….
expect_end() {
  local expected=$1 line=$2 status=0 said
  shift 2
  said=$("$SYNTH" "$@" 2>&1) || status=$?
  ((status == expected)) || fail "exit status $status, not $expected, with: $said"
  [[ $said == "$line" ]] || fail "said \"$said\", not \"$line\""
}

is_open() { ! file_has "/proc/asound/$1" closed; }
is_closed() { file_has "/proc/asound/$1" closed; }

# Lets the driver of a card take it away, or give it back, as pulling and plugging a cable would.
pull() { echo "$1.0" >"/sys/bus/platform/drivers/$1/unbind"; }
plug() { echo "$1.0" >"/sys/bus/platform/drivers/$1/bind"; }

# Devices sleep for a second. All processes are frozen meanwhile, this one too.
suspend() {
  echo 1 >/sys/module/suspend/parameters/pm_test_delay
  echo devices >/sys/power/pm_test
  echo freeze >/sys/power/state
}

# Prints at which frames of one file of 16-bit stereo a piece of another is found: 256 frames from frame FROM on.
frames() { od -An -v -t d2 -w4 "$@"; }
find_piece() {
  frames -j "$(($2 * 4))" -N 1024 "$1" >piece
  frames "$3" | awk '
    NR == FNR { piece[NR] = $0; length_of_piece = NR; next }
    { frame[FNR] = $0 }
    END {
      for (start = 1; start <= FNR - length_of_piece; start++) {
        for (i = 1; i <= length_of_piece && frame[start + i - 1] == piece[i]; i++) ;
        if (i > length_of_piece) print start - 1
      }
    }' piece -
}

# Prints a frame of 16-bit samples a line, from the first that sounds: sounding_frames CHANNELS FILE.
sounding_frames() { od -An -v -t d2 -w$((2 * $1)) "$2" | awk '/[1-9]/ { sounds = 1 } sounds { $1 = $1; print }'; }

# Demands that a recording of eight channels is what was rendered in two, as this map leads it, but for so many frames
# at the end: expect_mapped RECORDING RENDERED [FRAMES].
readonly eight_channel_map=-1,-1,0,1,-1,1,0,-1
expect_mapped() {
  sounding_frames 2 "$2" | awk '{ print 0, 0, $1, $2, 0, $2, $1, 0 }' | head -n "-${3-0}" >expected
  sounding_frames 8 "$1" | head -n "$(wc -l <expected)" >arrived || true
  cmp expected arrived || fail "channels are mixed up"
  measured "$(wc -l <arrived) frames of 8 channels, each where the map leads it"
}

# Plugs a USB card of eight channels in, which appends what it plays to a file: plug_usb_card FILE. To kill it is to
# pull its cable.
plug_usb_card() {
  modprobe -a vhci-hcd snd-usb-audio
  "$guest/usb-card" "$1" &
  usb_card=$!
  wait_until [ -e /proc/asound/Eight/pcm0p/sub0/status ]
}

milliseconds() { date +%s%3N; }

# Plays in the background; what is said goes into a file, and commands come from $commands: start_playing ARGUMENT….
commands=/dev/null
start_playing() {
  "$SYNTH" --soundfont "$font" "$@" <"$commands" >said 2>&1 &
  program=$!
}

# Waits for the end of what was started, and demands its status and lines: expect_playing_ends STATUS LINE….
expect_playing_ends() {
  local expected=$1 status=0
  shift
  wait "$program" || status=$?
  ((status == expected)) || fail "exit status $status, not $expected, with: $(<said)"
  # The place from which a song goes on differs by some milliseconds.
  [[ $(sed -E 's/from 0:0[0-9.]+$/from PLACE/' said) == "$(printf '%s\n' "$@")" ]] || fail "it said: $(<said)"
}

# Prints the highest sample of 10 ms of 16-bit stereo: peak FILE FRAME.
peak() {
  frames -j "$(($2 * 4))" -N 1920 "$1" |
    awk '{ for (i = 1; i <= 2; i++) if ($i * $i > peak * peak) peak = $i } END { print sqrt(peak * peak) }'
}

# Demands that a recording fades in and is, from 100 ms on, the song that was rendered, from where it had come to:
# expect_song_went_on RECORDING RENDERED MILLISECONDS [PART]. Its first 10 ms are below that part, else a quarter.
expect_song_went_on() {
  local first found start position faded full
  first=$(($(leading_silence "$1") / 4))
  found=$(find_piece "$1" $((first + 4800)) "$2")
  [[ $found ]] || fail "what was recorded is not the song"
  start=$((found - 4800)) position=$(((found - 4800) / 48))
  ((position > $3 - 50 && position < $3 + 50)) || fail "after $3 ms the song is at $position ms"
  # In 10 of a device's 50 ms it rises to a fifth, in 10 of a pause's 20 to a half.
  faded=$(peak "$1" "$first")
  full=$(peak "$2" "$start")
  ((faded * ${4-4} < full)) || fail "it sets in with a peak of $faded, of $full in the song"
  measured "the song sets in at $position ms, after $3 ms; its first 10 ms have a peak of $faded, in the song $full"
}
